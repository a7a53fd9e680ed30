import { Catch, type ArgumentsHost, type RpcExceptionFilter } from '@nestjs/common';
import type { GqlExceptionFilter } from '@nestjs/graphql';
import { BaseWsExceptionFilter, WsException } from '@nestjs/websockets';
import { GraphQLError } from 'graphql';
import { LockError } from 'nestjs-redis-lock';
import { throwError, type Observable } from 'rxjs';

/** The public body, which has the code and no key, is what each of them sends. */
@Catch(LockError)
export class LockRpcFilter implements RpcExceptionFilter<LockError> {
  catch(error: LockError): Observable<never> {
    return throwError(() => error.getResponse());
  }
}

@Catch(LockError)
export class LockWsFilter extends BaseWsExceptionFilter {
  override catch(error: LockError, host: ArgumentsHost): void {
    super.catch(new WsException(error.getResponse()), host);
  }
}

@Catch(LockError)
export class LockGraphQLFilter implements GqlExceptionFilter<LockError> {
  catch(error: LockError): GraphQLError {
    const { message } = error.getResponse() as { message: string };
    return new GraphQLError(message, { extensions: { code: error.code } });
  }
}
