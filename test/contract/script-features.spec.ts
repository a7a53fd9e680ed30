import { expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { eachServer } from '../helpers/each-server.js';
import { PROTOCOLS } from '../helpers/protocols.js';

/** Scripts, each with what it answers; run one after the other, with the key `k` and the argument `v`. */
const ANSWERS: Readonly<Record<string, readonly (readonly [script: string, answer: unknown])[]>> = {
  'what comes back of a script': [
    ['return 1', 1],
    ['return 3.99', 3],
    ['return -3.99', -3],
    ['return 1700000000000001', 1700000000000001],
    ['return true', 1],
    ['return false', null],
    ['return nil', null],
    ['return "text"', 'text'],
    ['return {1, 2, "a", false, true, {3.5, nil, 4}}', [1, 2, 'a', null, 1, [3]]],
    ['return {1, nil, 3}', [1]],
    ['return {}', []],
    ['return function() end', null],
    ['return {ok = "FINE"}', 'FINE'],
    ['return redis.status_reply("YES")', 'YES'],
    ['return {KEYS[1], ARGV[1], #KEYS, #ARGV}', ['k', 'v', 1, 1]],
    ['return redis.sha1hex("abc")', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ],
  'what a command gives to a script': [
    ['return redis.call("SET", KEYS[1], ARGV[1])', 'OK'],
    ['return redis.call("set", "lower", "x").ok', 'OK'],
    ['return redis.call("GET", KEYS[1])', 'v'],
    ['return tostring(redis.call("GET", "none"))', 'false'],
    ['return tostring(redis.call("SET", KEYS[1], "w", "NX"))', 'false'],
    ['return redis.call("SET", "n", 1700000000000001)', 'OK'],
    ['return redis.call("GET", "n")', '1700000000000001'],
    ['return redis.call("SET", "n", 1.5)', 'OK'],
    ['return redis.call("GET", "n")', '1.5'],
    ['return type(redis.call("INCR", "counter"))', 'number'],
    ['return redis.call("ZADD", "z", 1700000000000001, "m", 1.5, "n")', 2],
    ['return redis.call("ZRANGE", "z", 0, -1, "WITHSCORES")', ['n', '1.5', 'm', '1700000000000001']],
    ['return redis.call("ZSCORE", "z", "m")', '1700000000000001'],
    ['return tostring(redis.call("ZSCORE", "z", "none"))', 'false'],
    ['return tostring(redis.call("ZRANK", "z", "none"))', 'false'],
    ['return redis.call("HSET", "h", "f", 1, "g", 2)', 2],
    ['return redis.call("HMGET", "h", "f", "none", "g")', ['1', null, '2']],
    ['return redis.call("HGETALL", "h")', ['f', '1', 'g', '2']],
    ['return redis.call("PUBSUB", "NUMSUB", "nobody")', ['nobody', 0]],
    ['return redis.call("PUBLISH", "nobody", "m")', 0],
    ['return {type(redis.call("TIME")[1]), #redis.call("TIME")}', ['string', 2]],
    ['return redis.call("PTTL", "none")', -2],
  ],
  'numbers and texts in Lua': [
    ['return tostring(1700000000000)', '1700000000000'],
    ['return 1700000000000 .. ":x"', '1700000000000:x'],
    ['return tostring(1700000000000001)', '1.7e+15'],
    ['return string.format("%.0f", 1700000000000001)', '1700000000000001'],
    ['return "10" + 5', 15],
    ['return {string.match("1:abc:5", "^1:([^:]*):")}', ['abc']],
    ['return {math.floor(3.7), math.max(1, 2), #"a\\0b", select("#", 1, 2)}', [3, 2, 3, 2]],
    ['return table.concat({"a", "b"}, ",")', 'a,b'],
  ],
  'errors that a script catches': [
    ['redis.call("ZADD", "z", 1, "m") return redis.pcall("GET", "z").err', expect.stringMatching(/^WRONGTYPE /)],
    ['local r = redis.pcall("GET", "z") return {type(r), tostring(r.ok)}', ['table', 'nil']],
    ['local ok, e = pcall(function() error("x") end) return {tostring(ok), e}', ['false', 'user_script:1: x']],
    ['return tostring((pcall(redis.call, "GET", "z")))', 'false'],
    ['return redis.error_reply("My problem").err', 'My problem'],
  ],
};

/** Scripts that fail, with the beginning of what the client gets. */
const ERRORS: readonly (readonly [script: string, message: string])[] = [
  ['return {err = "MY problem"}', 'MY problem'],
  ['return redis.error_reply("MY problem")', 'MY problem'],
  ['redis.call("ZADD", "z", 1, "m") return redis.pcall("GET", "z")', 'WRONGTYPE '],
  ['redis.call("ZADD", "z", 1, "m") return redis.call("GET", "z")', 'WRONGTYPE '],
  ['error({err = "MY problem"})', 'MY problem'],
  ['error("boom")', 'ERR user_script:1: boom script: '],
  ['\n\nerror("boom")', 'ERR user_script:3: boom script: '],
  ['x = = 1', 'ERR Error compiling script (new function): user_script:1: '],
  ['foo = 1', 'ERR '],
  ['return foo', "ERR user_script:1: Script attempted to access nonexistent global variable 'foo'"],
  ['return KEYS.x.y', 'ERR user_script:1: attempt to index field'],
  ['return redis.call("NOSUCH")', 'ERR Unknown Redis command called from script'],
  ['return redis.call("GET")', 'ERR Wrong number of args calling Redis command from script'],
  ['return redis.call()', 'ERR Please specify at least one argument for this'],
  ['return redis.call("SET", "a", true)', 'ERR Lua redis lib command arguments must be strings or integers'],
  ['return redis.call("SET", "a", {})', 'ERR Lua redis lib command arguments must be strings or integers'],
  ['return redis.call("EVAL", "return 1", 0)', 'ERR This Redis command is not allowed from script'],
  ['return redis.call("SUBSCRIBE", "c")', 'ERR This Redis command is not allowed from script'],
];

const run = (client: Redis, script: string): Promise<unknown> => client.eval(script, 1, 'k', 'v');

eachServer((server) => {
  it.each(Object.entries(ANSWERS))('%s', async (_title, answers) => {
    for (const protocol of PROTOCOLS) {
      const client = server.connect({ protocol });
      await client.flushall();
      for (const [script, expected] of answers) {
        expect({ script, answer: await run(client, script) }).toEqual({ script, answer: expected });
      }
    }
  });

  it('errors that reach the client, and say where', async () => {
    for (const [script, message] of ERRORS) {
      const answer = await run(server.client, script).catch((error: Error) => error.message);
      expect({ script, answer }).toEqual({ script, answer: expect.stringContaining(message) });
    }
    await expect(run(server.client, '\nreturn redis.call("NOSUCH")')).rejects.toThrow(/, on @user_script:2\.$/);
  });

  it('a script that fails keeps what it wrote', async () => {
    await expect(run(server.client, 'redis.call("SET", KEYS[1], "1") error("later")')).rejects.toThrow('later');
    expect(await server.client.get('k')).toBe('1');
  });

  it('bytes of any value pass unchanged, in and out, and as names', async () => {
    const bytes = Buffer.from([0, 1, 13, 10, 0x24, 0x7f, 0x80, 0xc3, 0x28, 0xff]);
    const script = 'redis.call("SET", KEYS[1], ARGV[1]) return {redis.call("GET", KEYS[1]), #ARGV[1], KEYS[1]}';
    expect(await server.client.callBuffer('EVAL', script, 1, bytes, bytes)).toEqual([bytes, bytes.length, bytes]);
    expect(await server.client.getBuffer(bytes)).toEqual(bytes);
    expect(await server.client.keysBuffer('*')).toEqual([bytes]);
  });

  it('long texts and many arguments', async () => {
    const long = 'x'.repeat(300_000);
    const many = Array.from({ length: 2_000 }, (_, i) => `${i}`);
    expect(await server.client.eval('return #ARGV[1] + #ARGV', 0, long, ...many)).toBe(302_001);
    expect(await server.client.eval('return ARGV', 0, ...many)).toEqual(many);
  });

  it('a digest runs once its text has been seen, until the scripts are flushed', async () => {
    const sha = 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db';
    await server.client.script('FLUSH');
    await expect(server.client.evalsha(sha, 0)).rejects.toThrow(/^NOSCRIPT /);
    await server.client.eval('return 1', 0);
    expect(await server.client.evalsha(sha.toUpperCase(), 0)).toBe(1);
    expect(await server.client.script('EXISTS', sha, 'f'.repeat(40))).toEqual([1, 0]);
    await server.client.script('FLUSH');
    expect(await server.client.script('EXISTS', sha)).toEqual([0]);
  });

  it('scripts run one at a time, and other commands between them only', async () => {
    const script = 'local n = redis.call("GET", KEYS[1]) or 0 redis.call("SET", KEYS[1], n + 1) return n + 1';
    const clients = [server.client, server.connect(), server.connect()];
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, i) => run(clients[i % clients.length] as Redis, script)),
    );
    expect(new Set(answers).size).toBe(90);
  });
});
