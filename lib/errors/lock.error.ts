import { HttpException } from '@nestjs/common';

/** @publicApi */
export type LockErrorCode =
  'LOCK_BUSY' | 'LOCK_UNAVAILABLE' | 'LOCK_LOST' | 'LOCK_KEY' | 'LOCK_OPTIONS' | 'LOCK_CLOSED';

/** What one kind of error answers to a client. */
interface LockErrorKind {
  code: LockErrorCode;
  statusCode: number;
  /** The only text a client gets to see; it never names a key. */
  publicMessage: string;
}

/**
 * Base of all errors of this library. An `HttpException`, because that is what Nest's own filter and the filters that
 * people write turn into a status; on other transports it is an error like any other.
 *
 * `message` is for logs and names the key. `getResponse()` is the public body and does not. In GraphQL, and in server-sent
 * events that have begun, Nest shows a client the message: there an interceptor of the module replaces it by the public text.
 * It does not see what guards and field resolvers throw; a filter has to send `getResponse()` for them. Recognise an error by `code`:
 * it holds also when two copies of the package are loaded.
 *
 * @publicApi
 */
export abstract class LockError extends HttpException {
  readonly code: LockErrorCode;
  readonly statusCode: number;
  /** Name of the lock that was asked for, where there was one. */
  readonly key: string | undefined;

  protected constructor(kind: LockErrorKind, message: string, key?: string, options?: ErrorOptions) {
    const { code, statusCode, publicMessage } = kind;
    super({ statusCode, message: publicMessage, code }, statusCode, options);
    this.name = new.target.name;
    this.message = message;
    this.code = code;
    this.statusCode = statusCode;
    this.key = key;
  }
}
