import { describe, expect, it } from '@jest/globals';
import { RedisLockModule, WithLock } from 'nestjs-redis-lock';
import { errorOf } from '../helpers/error-of.js';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { Parameters } from '../src/classes/parameters.js';

const redis = useRedis();
const start = async () =>
  (await startApp({ imports: [RedisLockModule.forRoot({ connection: redis.url })], providers: [Parameters] })).get(
    Parameters,
  );

describe('Parameters in the key of a locked method', () => {
  it.each<[string, (methods: Parameters) => Promise<unknown>, string]>([
    ['taken apart, with defaults that hold commas', (methods) => methods.destructured({ id: '7' }), 'user:7'],
    ['below another wrapper', (methods) => methods.belowWrapper({ id: '7' }, 'a'), 'user:7:a'],
    ['above another wrapper', (methods) => methods.aboveWrapper({ id: '7' }, 'a'), 'user:7:a'],
    ['gathered as rest', (methods) => methods.rest('6', '7'), 'user:7'],
    ['with a default, given', (methods) => methods.defaulted('7'), 'user:7'],
  ])('should be found by their place, whatever they are called: %s [BC-68]', async (_, call, key) => {
    expect(await call(await start())).toBe(key);
  });

  it('should be refused when the caller leaves them to their default, which the lock cannot see', async () => {
    const methods = await start();
    await expect(methods.defaulted()).rejects.toMatchObject({
      code: 'LOCK_KEY',
      message: expect.stringMatching(/@WithLock on Parameters\.defaulted/),
    });
  });

  it.each(['user:<id>', 'user:<user.id>', 'user:<user>:<1>'])(
    'should be refused by name at the decoration, with what to write: %s [BC-68]',
    (template) => {
      const define = () => {
        class Users {
          @(WithLock(template as never) as MethodDecorator)
          async rename(_user: { id: string }, _name: string): Promise<void> {}
        }
        return Users;
      };
      const error = errorOf(define);
      expect(error).toMatchObject({ code: 'LOCK_KEY' });
      expect(error.message).toMatch(/@WithLock on Users\.rename.*<0/s);
    },
  );
});
