import { describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { eachServer } from '../helpers/each-server.js';
import { PROTOCOLS } from '../helpers/protocols.js';

/** Commands in a row, each with its answer; an error by the beginning of its text. */
type Dialogue = readonly (readonly [command: string, answer: unknown])[];

class Failure {
  constructor(readonly text: string) {}
}

const fails = (text: string): Failure => new Failure(text);
const WRONG_TYPE = fails('WRONGTYPE Operation against a key holding the wrong kind of value');
const NO_INTEGER = fails('ERR value is not an integer or out of range');
const NO_FLOAT = fails('ERR value is not a valid float');
const SYNTAX = fails('ERR syntax error');
const wrongCount = (name: string): Failure => fails(`ERR wrong number of arguments for '${name}' command`);

const DIALOGUES: Readonly<Record<string, Dialogue>> = {
  'a command that is not there, or has too few words': [
    ['NOSUCH a b', fails("ERR unknown command 'NOSUCH', with args beginning with: 'a' 'b'")],
    ['GET', wrongCount('get')],
    ['GET a b', wrongCount('get')],
    ['PING a b', wrongCount('ping')],
    ['CLIENT SETNAME', wrongCount('client|setname')],
    ['PUBSUB NOPE', fails("ERR unknown subcommand 'NOPE'")],
  ],
  'SET and GET': [
    ['GET a', null],
    ['SET a 1', 'OK'],
    ['SET a 2 NX', null],
    ['SET a 2 XX', 'OK'],
    ['SET none 2 XX', null],
    ['SET a 3 GET', '2'],
    ['SET a 3 NX XX', SYNTAX],
    ['SET a 3 PX', SYNTAX],
    ['SET a 3 EX 100 PX 100', SYNTAX],
    ['SET a 3 KEEPTTL PX 100', SYNTAX],
    ['SET a 3 PX 0', fails("ERR invalid expire time in 'set' command")],
    ['SET a 3 PX x', NO_INTEGER],
    ['GET a', '3'],
    ['MGET a none', ['3', null]],
    ['STRLEN a', 1],
    ['GETDEL a', '3'],
    ['GETDEL a', null],
    ['SETNX a 1', 1],
    ['SETNX a 2', 0],
  ],
  'numbers in strings': [
    ['INCR n', 1],
    ['INCRBY n 1700000000000000', 1700000000000001],
    ['DECRBY n 1', 1700000000000000],
    ['DECR fresh', -1],
    ['INCRBY n 1.5', NO_INTEGER],
    ['SET n 9223372036854775807', 'OK'],
    ['INCR n', fails('ERR increment or decrement would overflow')],
    ['SET n 01', 'OK'],
    ['INCR n', NO_INTEGER],
  ],
  'keys of any type': [
    ['SET s v', 'OK'],
    ['HSET h f v', 1],
    ['RPUSH l v', 1],
    ['ZADD z 1 v', 1],
    ['TYPE s', 'string'],
    ['TYPE h', 'hash'],
    ['TYPE l', 'list'],
    ['TYPE z', 'zset'],
    ['TYPE none', 'none'],
    ['EXISTS s s none', 2],
    ['DBSIZE', 4],
    ['KEYS [sh]', expect.arrayContaining(['s', 'h'])],
    ['KEYS none*', []],
    ['SCAN 0 MATCH z COUNT 100', ['0', ['z']]],
    ['SCAN x', fails('ERR invalid cursor')],
    ['DEL s none', 1],
    ['UNLINK h l', 2],
    ['FLUSHDB', 'OK'],
    ['DBSIZE', 0],
    ['FLUSHALL NEVER', SYNTAX],
  ],
  'a key that holds something else': [
    ['SET s v', 'OK'],
    ['HGET s f', WRONG_TYPE],
    ['HSET s f v', WRONG_TYPE],
    ['ZADD s 1 m', WRONG_TYPE],
    ['ZSCORE s m', WRONG_TYPE],
    ['RPUSH s v', WRONG_TYPE],
    ['ZADD z 1 m', 1],
    ['GET z', WRONG_TYPE],
    ['INCR z', WRONG_TYPE],
    ['SET z v GET', WRONG_TYPE],
    ['MGET s z', ['v', null]],
    ['SET z v', 'OK'],
  ],
  'times to live': [
    ['SET a 1 EX 100', 'OK'],
    ['TTL a', 100],
    ['SET a 2 KEEPTTL', 'OK'],
    ['TTL a', 100],
    ['SET a 3', 'OK'],
    ['PTTL a', -1],
    ['PTTL none', -2],
    ['TTL none', -2],
    ['PEXPIRE a x', NO_INTEGER],
    ['PEXPIRE none 10', 0],
    ['EXPIRE a 50', 1],
    ['TTL a', 50],
    ['PERSIST a', 1],
    ['PERSIST a', 0],
    ['PEXPIREAT a 9999999999999', 1],
    ['INCR a', 4],
    ['PEXPIRE a 0', 1],
    ['EXISTS a', 0],
    ['SET a 1', 'OK'],
    ['EXPIRE a -1', 1],
    ['EXISTS a', 0],
    ['SET a 1', 'OK'],
    ['PEXPIREAT a 1', 1],
    ['EXISTS a', 0],
    ['SET a 1', 'OK'],
    ['PEXPIRE a 9223372036854775807', fails("ERR invalid expire time in 'pexpire' command")],
  ],
  hashes: [
    ['HSET h f v g w', 2],
    ['HSET h f x n 5', 1],
    ['HSET h f', wrongCount('hset')],
    ['HGET h f', 'x'],
    ['HGET h none', null],
    ['HGET none f', null],
    ['HMGET h f none g', ['x', null, 'w']],
    ['HEXISTS h g', 1],
    ['HEXISTS h none', 0],
    ['HLEN h', 3],
    ['HINCRBY h n 5', 10],
    ['HINCRBY h g 5', fails('ERR hash value is not an integer')],
    ['HDEL h f none', 1],
    ['HDEL h g n', 2],
    ['EXISTS h', 0],
  ],
  lists: [
    ['RPUSH l a b c', 3],
    ['LPUSH l y z', 5],
    ['LRANGE l 0 -1', ['z', 'y', 'a', 'b', 'c']],
    ['LRANGE l -2 -1', ['b', 'c']],
    ['LRANGE l 3 1', []],
    ['LRANGE l 0 x', NO_INTEGER],
    ['LLEN l', 5],
    ['LPOP l', 'z'],
    ['RPOP l', 'c'],
    ['LPOP none', null],
    ['LRANGE none 0 -1', []],
  ],
  'sorted sets by member': [
    ['ZADD z 1 a 2 b', 2],
    ['ZADD z 3 a', 0],
    ['ZADD z CH 4 a 5 c', 2],
    ['ZADD z NX 9 a 9 n', 1],
    ['ZADD z XX 9 q', 0],
    ['ZADD z GT CH 1 a', 0],
    ['ZADD z LT CH 1 a', 1],
    ['ZADD z NX XX 1 a', fails('ERR XX and NX options at the same time are not compatible')],
    ['ZADD z GT LT 1 a', fails('ERR GT, LT, and/or NX options at the same time are not compatible')],
    ['ZADD z x a', NO_FLOAT],
    ['ZADD z 1', wrongCount('zadd')],
    ['ZADD z NX 1', SYNTAX],
    ['ZADD z 1 a 2', SYNTAX],
    ['ZRANK z a', 0],
    ['ZRANK z none', null],
    ['ZCARD z', 4],
    ['ZCARD none', 0],
    ['ZSCORE z none', null],
    ['ZREM z a none', 1],
    ['ZREM none a', 0],
  ],
  'sorted sets by position and score': [
    ['ZADD z 1700000000000001 big 2 b 2 a -inf low 1 one', 5],
    ['ZRANGE z 0 -1', ['low', 'one', 'a', 'b', 'big']],
    ['ZREVRANGE z 0 1', ['big', 'b']],
    ['ZRANGE z -2 -1', ['b', 'big']],
    ['ZRANGE z 3 1', []],
    ['ZRANGE z x 1', NO_INTEGER],
    ['ZRANGE z 0 0 FOO', SYNTAX],
    ['ZRANGEBYSCORE z (1 2', ['a', 'b']],
    ['ZRANGEBYSCORE z 1 (2', ['one']],
    ['ZRANGEBYSCORE z (1700000000000000 +inf', ['big']],
    ['ZRANGEBYSCORE z (1700000000000001 +inf', []],
    ['ZRANGEBYSCORE z -inf +inf LIMIT 1 2', ['one', 'a']],
    ['ZRANGEBYSCORE z -inf +inf LIMIT 3 -1', ['b', 'big']],
    ['ZRANGEBYSCORE z x y', fails('ERR min or max is not a float')],
    ['ZCOUNT z 1 2', 3],
    ['ZREMRANGEBYSCORE z -inf 1', 2],
    ['ZREMRANGEBYSCORE z -inf +inf', 3],
    ['EXISTS z', 0],
  ],
  'a connection and what it says of itself': [
    ['PING', 'PONG'],
    ['PING hello', 'hello'],
    ['ECHO x', 'x'],
    ['CLIENT GETNAME', null],
    ['CLIENT SETNAME bob', 'OK'],
    ['CLIENT GETNAME', 'bob'],
    ['AUTH pw', fails('ERR AUTH <password> called without any password configured for the default user')],
    ['AUTH default pw', 'OK'],
    ['AUTH other pw', fails('WRONGPASS invalid username-password pair')],
    ['HELLO 4', fails('NOPROTO unsupported protocol version')],
    ['SET a 1', 'OK'],
    ['SELECT 1', 'OK'],
    ['DBSIZE', 0],
    ['SELECT 0', 'OK'],
    ['DBSIZE', 1],
    ['SELECT 99', fails('ERR DB index is out of range')],
    ['WAIT 0 10', 0],
    ['WAIT 0 -1', fails('ERR timeout is negative')],
  ],
  'scripts by digest': [
    ['EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0', fails('NOSCRIPT No matching script')],
    ['SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db', [0]],
    ['SCRIPT LOAD return/**/1', fails('ERR Error compiling script (new function): ')],
    ['SCRIPT LOAD return(1)', '930269f31393d0be681588b6ab08dccee7d6bb67'],
    ['SCRIPT FLUSH NEVER', fails('ERR SCRIPT FLUSH only support SYNC|ASYNC option')],
    ['SCRIPT FLUSH', 'OK'],
    ['EVALSHA abc', wrongCount('evalsha')],
    ['EVAL return(1) x', NO_INTEGER],
    ['EVAL return(1) 2 k', fails("ERR Number of keys can't be greater than number of args")],
    ['EVAL return(1) -1', fails("ERR Number of keys can't be negative")],
  ],
};

/** What a command answers, in the shape that ioredis gives it; an error by its text. */
async function ask(client: Redis, command: string): Promise<unknown> {
  const [name = '', ...args] = command.split(' ');
  try {
    return await client.call(name, args);
  } catch (error) {
    return fails((error as Error).message);
  }
}

eachServer((server) => {
  describe.each(PROTOCOLS)('in RESP%i', (protocol) => {
    it.each(Object.entries(DIALOGUES))('%s', async (_title, dialogue) => {
      const client = server.connect({ protocol });
      await client.call('SCRIPT', 'FLUSH');
      for (const [command, expected] of dialogue) {
        const answer = await ask(client, command);
        if (expected instanceof Failure) {
          expect({ command, answer: (answer as Failure).text }).toEqual({
            command,
            answer: expect.stringContaining(expected.text),
          });
        } else {
          expect({ command, answer }).toEqual({ command, answer: expected });
        }
      }
    });
  });
});
