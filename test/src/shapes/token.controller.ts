import {
  Body,
  Controller,
  createParamDecorator,
  HttpCode,
  Post,
  Res,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { lockKey, WithLock } from 'nestjs-redis-lock';
import { createHash } from 'node:crypto';

export const Public = () => SetMetadata('public', true);

export const UserAgent = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers['user-agent'];
});

interface Cookies {
  cookie(name: string, value: string): void;
}

const digest = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Turns a refresh token into a new pair, once at a time for each token. */
@Controller('tokens')
export class TokenController {
  @ApiOperation({ summary: 'refresh' })
  @ApiOkResponse({ type: String })
  @Public()
  @HttpCode(200)
  @Post('refresh')
  @WithLock('refresh:<0>', { wait: 0 })
  async refresh(
    @Body('token') token: string,
    @UserAgent() agent: string,
    @Res({ passthrough: true }) response: Cookies,
  ): Promise<object> {
    response.cookie('refresh', `after-${token}`);
    return { agent };
  }

  /** Whose key is a digest, since keys can be read in Redis and in logs. */
  @Public()
  @HttpCode(200)
  @Post('hashed')
  @WithLock((token: string) => lockKey`refresh:${digest(token)}`, { wait: 0 })
  async hashed(@Body('token') token: string, @UserAgent() agent: string): Promise<object> {
    return { agent, length: token.length };
  }
}
