import { describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { eachServer } from '../helpers/each-server.js';
import { PROTOCOLS } from '../helpers/protocols.js';
import { waitUntil } from '../helpers/wait-until.js';

function collect(client: Redis): string[] {
  const messages: string[] = [];
  client.on('message', (channel: string, message: string) => messages.push(`${channel} ${message}`));
  return messages;
}

eachServer((server) => {
  describe.each(PROTOCOLS)('channels in RESP%i', (protocol) => {
    it('bring messages in order, to those who listen, also from a script', async () => {
      const listener = server.connect({ protocol });
      const messages = collect(listener);
      expect(await listener.subscribe('a', 'b')).toBe(2);
      expect(await server.client.publish('a', '1')).toBe(1);
      expect(await server.client.eval('return redis.call("PUBLISH", "b", "2")', 0)).toBe(1);
      expect(await server.client.publish('none', '3')).toBe(0);
      await Promise.all([server.client.publish('b', '4'), server.client.publish('a', '5')]);
      await waitUntil(() => messages.length === 4, 'four messages');
      expect(messages).toEqual(['a 1', 'b 2', 'b 4', 'a 5']);
    });

    it('count their listeners, and forget one that left or is gone', async () => {
      const [one, other] = [server.connect({ protocol }), server.connect({ protocol })];
      await Promise.all([one.subscribe('c'), other.subscribe('c', 'd')]);
      expect(await server.client.pubsub('NUMSUB', 'c', 'd', 'e')).toEqual(['c', 2, 'd', 1, 'e', 0]);
      expect(await server.client.pubsub('CHANNELS', '[cd]')).toEqual(expect.arrayContaining(['c', 'd']));
      expect(await one.unsubscribe('c')).toBe(0);
      expect(await server.client.pubsub('NUMSUB', 'c')).toEqual(['c', 1]);
      other.disconnect();
      const left = async () => (await server.client.pubsub('NUMSUB', 'c'))[1];
      await waitUntil(async () => (await left()) === 0, 'nobody listens');
    });

    it('leave a connection what it may still send while it listens', async () => {
      const listener = server.connect({ protocol });
      await listener.subscribe('c');
      expect(await listener.ping()).toEqual(protocol === 3 ? 'PONG' : ['pong', '']);
      const get = listener.call('GET', 'k');
      if (protocol === 3) expect(await get).toBeNull();
      else await expect(get).rejects.toThrow(/subscriber mode|only \(P\|S\)SUBSCRIBE/);
      await listener.unsubscribe();
      expect(await listener.call('GET', 'k')).toBeNull();
    });
  });

  it('a connection that quits is answered, and its end is seen', async () => {
    const client = server.connect({ retryStrategy: () => null });
    const ended = new Promise((resolve) => client.once('end', resolve));
    expect(await client.quit()).toBe('OK');
    await ended;
  });

  it('a key is gone once its time is over, and not before', async () => {
    await server.client.set('k', 'v', 'PX', 150);
    expect(await server.client.pttl('k')).toBeGreaterThan(0);
    expect(await server.client.get('k')).toBe('v');
    await waitUntil(async () => (await server.client.get('k')) === null, 'the key is gone');
    expect(await server.client.exists('k')).toBe(0);
  });

  it('its clock rises, in microseconds', async () => {
    const times: number[] = [];
    for (let i = 0; i < 50; i++) {
      const [seconds, micros] = await server.client.time();
      times.push(Number(seconds) * 1e6 + Number(micros));
    }
    expect(new Set(times).size).toBe(50);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(Math.abs((times.at(-1) as number) / 1000 - Date.now())).toBeLessThan(5_000);
  });
});
