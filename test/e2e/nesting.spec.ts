import { describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { currentLease, LockService, RedisLockModule } from 'nestjs-redis-lock';
import { Agent, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { lastValueFrom } from 'rxjs';
import request from 'supertest';
import { LockState } from '../helpers/lock-state.js';
import { MAKERS } from '../helpers/made-inside.js';
import { openLocks } from '../helpers/open-locks.js';
import { startApp } from '../helpers/start-app.js';
import { useRedis } from '../helpers/use-redis.js';
import { waitUntil } from '../helpers/wait-until.js';
import { AuditService, OrderController } from '../src/classes/nesting.js';
import { Overlap } from '../src/controllers/overlap.js';

const redis = useRedis();

async function start() {
  const app = await startApp({
    imports: [RedisLockModule.forRoot({ connection: redis.url })],
    controllers: [OrderController],
    providers: [AuditService, Overlap],
  });
  const parts = { orders: app.get(OrderController), audits: app.get(AuditService), overlap: app.get(Overlap) };
  return { app, ...parts, ask: (path: string) => request(app.getHttpServer()).get(path) };
}

const owner = () => redis.client.get('lock:order');
const untilFree = () => waitUntil(async () => (await redis.keys()).length === 0, 'the release');

describe('Calls on the key of their caller [BC-06]', () => {
  it('should enter at once over services, LockService, streams and generators, and exclude other requests', async () => {
    const { ask, overlap } = await start();
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask('/nested').expect(200)));
    for (const { body } of answers) {
      expect(body).toHaveLength(7);
      expect(new Set(body as string[]).size).toBe(1);
    }
    expect(new Set(answers.map(({ text: holdings }) => holdings)).size).toBe(answers.length);
    expect(overlap).toMatchObject({ entered: 8, most: 1 });
    expect(await redis.keys()).toEqual([]);
  });

  it('should give the lock back with the outermost call, whose token it keeps', async () => {
    const { app, orders, audits } = await start();
    const seen: (string | null | undefined)[] = [];
    orders.inside = async () => {
      seen.push(currentLease()?.token, await owner());
      await audits.auditNow();
      await lastValueFrom(audits.stream());
      seen.push(await owner());
    };
    const { text: token } = await request(app.getHttpServer()).post('/hold').expect(200);
    expect(seen).toEqual([token, token, token]);
    expect(await redis.keys()).toEqual([]);
  });

  it('should be told apart from those on a semaphore of the same name', async () => {
    const { app, orders, audits } = await start();
    let permit: string | undefined;
    orders.inside = async () => (permit = await audits.charge());
    const { text: token } = await request(app.getHttpServer()).post('/hold').expect(200);
    expect(permit).toEqual(expect.any(String));
    expect(permit).not.toBe(token);
  });

  it('should fail with "reentrant: false" and name both calls to the log, but to no client', async () => {
    const { ask, orders, overlap } = await start();
    const response = await ask('/alone').expect(423);
    expect(response.text).not.toMatch(/order|Audit/);
    await expect(orders.alone()).rejects.toThrow(/OrderController\.alone.*AuditService\.auditAlone.*reentrant: false/);
    expect(overlap.entered).toBe(0);
    expect(await redis.keys()).toEqual([]);
  });
});

describe('Calls that one request starts together [BC-05]', () => {
  it('should run one after the other inside its lock', async () => {
    const { ask, overlap } = await start();
    const answers = await Promise.all([ask('/siblings').expect(200), ask('/siblings').expect(200)]);
    for (const { body } of answers) {
      expect(body).toHaveLength(5);
      expect(new Set(body as string[]).size).toBe(1);
    }
    expect(overlap).toMatchObject({ entered: 8, most: 1 });
  });
});

describe('What a request leaves behind [BC-05]', () => {
  it('should acquire for itself when it locks after the answer', async () => {
    const { ask, orders, overlap } = await start();
    await ask('/detached').expect(200, 'answered');
    const other = await (await openLocks({ connection: redis.url })).locks.acquire('order');
    orders.begin();
    await new LockState(redis, 'order').untilWaiting(1);
    expect(overlap.entered).toBe(0);
    await other.release();
    expect(await orders.detached).not.toContain(other.token);
    expect(overlap).toMatchObject({ entered: 1, most: 1 });
    expect(await redis.keys()).toEqual([]);
  });

  it('should keep the lock as long as it is inside, for itself only', async () => {
    const { ask, orders, audits, overlap } = await start();
    await ask('/staying').expect(200, 'answered');
    await expect(audits.auditNow()).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    expect(overlap.entered).toBe(0);
    orders.begin();
    await orders.detached;
    await untilFree();
    await audits.auditNow();
  });

  it('should let no later request in over the same connection', async () => {
    const { app, orders } = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const ask = (method: string, path: string) => askOver(agent, app, method, path, ports);
    expect(await ask('GET', '/staying')).toEqual({ status: 200, body: 'answered' });
    expect(await ask('GET', '/outside')).toEqual({ status: 200, body: 'undefined' });
    expect(await ask('POST', '/hold')).toMatchObject({ status: 423 });
    orders.begin();
    await orders.detached;
    await untilFree();
    expect(await ask('POST', '/hold')).toMatchObject({ status: 200 });
    expect(ports.size).toBe(1);
    agent.destroy();
  });
});

async function askOver(
  agent: Agent,
  app: INestApplication,
  method: string,
  path: string,
  ports: Set<number | undefined>,
): Promise<{ status: number | undefined; body: string }> {
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const outgoing = send({ agent, port, host: '127.0.0.1', method, path }, (response) => {
      ports.add(response.socket.localPort);
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    outgoing.on('error', reject).end();
  });
}

describe.each(Object.entries(MAKERS))('%s that was made inside of a locked call', (_, make) => {
  /** Makes it inside of one call, and sets it off while another one of the same application has the lock. */
  async function setOff(whileHeld: boolean) {
    const { app, orders, audits, overlap } = await start();
    let outcome: Promise<unknown> | undefined;
    let lease: unknown = 'not called';
    let trigger: () => void = () => undefined;
    orders.inside = async () => {
      trigger = await make(() => {
        lease = currentLease();
        outcome = audits.auditNow().then(
          (holding) => (holding === undefined ? 'unlocked' : 'locked'),
          ({ code }: { code: string }) => code,
        );
      });
    };
    await request(app.getHttpServer()).post('/hold').expect(200);
    const held = whileHeld ? await app.get(LockService).acquire('order') : undefined;
    trigger();
    await waitUntil(() => outcome !== undefined, 'what was set off');
    const result = { outcome: await outcome, lease, entered: overlap.entered };
    await held?.release();
    return result;
  }

  it('should not count as inside once that has ended, while another call has the lock [BC-05]', async () => {
    expect(await setOff(true)).toEqual({ outcome: 'LOCK_BUSY', lease: undefined, entered: 0 });
  });

  it('should lock for itself when the lock is free', async () => {
    expect(await setOff(false)).toEqual({ outcome: 'locked', lease: undefined, entered: 1 });
  });
});

describe('An EventEmitter', () => {
  it('should have its listeners inside when it emits there, and outside when somebody else emits', async () => {
    const { app, orders, audits } = await start();
    const outcomes: Promise<string>[] = [];
    let emit: () => void = () => undefined;
    let go: () => void = () => undefined;
    orders.inside = async () => {
      emit = (await MAKERS['an EventEmitter']?.(() => {
        outcomes.push(
          audits.auditNow().then(
            (holding) => (holding === undefined ? 'unlocked' : 'locked'),
            (error: { code: string }) => error.code,
          ),
        );
      })) as () => void;
      emit();
      await outcomes[0];
      await new Promise<void>((resolve) => (go = resolve));
    };
    const answer = request(app.getHttpServer())
      .post('/hold')
      .then(({ status }) => status);
    await waitUntil(() => outcomes.length > 0, 'the first event');
    expect(await outcomes[0]).toBe('locked');
    emit();
    expect(await outcomes[1]).toBe('LOCK_BUSY');
    go();
    expect(await answer).toBe(200);
  });
});
