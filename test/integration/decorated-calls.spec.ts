import { beforeEach, describe, expect, it } from '@jest/globals';
import { FairLock, Semaphore, WithLock, type LockService } from 'nestjs-redis-lock';
import { bindLockService } from 'nestjs-redis-lock/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { defer, lastValueFrom, Observable } from 'rxjs';
import { openLocks } from '../helpers/open-locks.js';
import { useRedis } from '../helpers/use-redis.js';
import { watch } from '../helpers/watch.js';

const redis = useRedis();

/** Counts who works at the same time. */
class Work {
  done = 0;
  most = 0;
  private running = 0;

  async run(): Promise<void> {
    this.most = Math.max(this.most, ++this.running);
    await sleep(5);
    this.running--;
    this.done++;
  }
}

class Orders {
  readonly work = new Work();
  detached: Promise<void> | undefined;

  @WithLock('order:<0>')
  async place(id: string): Promise<string> {
    await this.audit(id);
    return `placed ${id}`;
  }

  @WithLock('order:<0>')
  async audit(_id: string): Promise<void> {
    await this.work.run();
  }

  @WithLock('order:<0>', { reentrant: false })
  async auditOnly(_id: string): Promise<void> {
    await this.work.run();
  }

  @WithLock('order:<0>')
  async placeWith(_id: string, nested: () => Promise<unknown>): Promise<unknown> {
    return nested();
  }
}

class Reports {
  readonly work = new Work();

  @WithLock('report', { wait: 50 })
  async locked(): Promise<void> {
    await this.work.run();
  }

  @FairLock('report', { wait: 50 })
  async fair(): Promise<void> {
    await this.work.run();
  }

  @Semaphore(1, 'report', { wait: 50 })
  async limited(): Promise<void> {
    await this.work.run();
  }

  @WithLock('report', { wait: 50 })
  observable(): Observable<void> {
    return defer(() => this.work.run());
  }

  @WithLock('report', { wait: 50 })
  async *generator(): AsyncGenerator<number> {
    await this.work.run();
    yield 1;
  }

  @WithLock('report', { onBusy: 'skip' })
  async skipped(): Promise<string | undefined> {
    await this.work.run();
    return 'done';
  }

  @WithLock('many', { wait: '10s' })
  async oneByOne(): Promise<void> {
    await this.work.run();
  }

  @Semaphore(5, 'many', { wait: '10s' })
  async fiveByFive(): Promise<void> {
    await this.work.run();
  }
}

let locks: LockService;
beforeEach(async () => {
  ({ locks } = await openLocks({ connection: redis.url }));
});

describe('Locked methods that call each other', () => {
  const open = () => bindLockService(new Orders(), locks);

  it('enter at once with the key of their caller, and the outermost gives it back [BC-06]', async () => {
    const orders = open();
    expect(await orders.place('1')).toBe('placed 1');
    let rest: string | null = null;
    await orders.placeWith('1', async () => {
      await orders.audit('1');
      rest = await redis.client.get('lock:order:1');
    });
    expect(rest).not.toBeNull();
    expect(await redis.keys()).toEqual([]);
  });

  it('fail at once with reentrant: false, naming key and both calls [BC-06]', async () => {
    const orders = open();
    const nested = orders.placeWith('1', () => orders.auditOnly('1'));
    await expect(nested).rejects.toMatchObject({
      code: 'LOCK_BUSY',
      message: expect.stringMatching(/order:1.*Orders\.placeWith.*Orders\.auditOnly/),
    });
    expect(orders.work.done).toBe(0);
  });

  it('take turns when one caller starts several [BC-05]', async () => {
    const orders = open();
    await orders.placeWith('1', () => Promise.all([1, 2, 3].map(() => orders.audit('1'))));
    expect(orders.work).toMatchObject({ done: 3, most: 1 });
  });

  it('wait like anybody else when they outlive their caller [BC-05]', async () => {
    const orders = open();
    let begin: () => void = () => undefined;
    const callerIsGone = new Promise<void>((resolve) => (begin = resolve));
    await orders.placeWith('1', async () => {
      orders.detached = callerIsGone.then(() => orders.audit('1'));
    });
    const other = await (await openLocks({ connection: redis.url })).locks.acquire('order:1');
    begin();
    const ended = watch(orders.detached as Promise<void>);
    await sleep(100);
    expect(ended()).toBe(false);
    expect(orders.work.done).toBe(0);
    await other.release();
    await orders.detached;
    expect(orders.work.done).toBe(1);
  });
});

describe('Locked methods of every form', () => {
  const open = () => bindLockService(new Reports(), locks);

  it('are not entered while the lock is busy [BC-37]', async () => {
    const reports = open();
    const other = await openLocks({ connection: redis.url });
    await other.locks.acquire('report');
    await other.locks.acquireSemaphore('report', 1);
    for (const call of [
      () => reports.locked(),
      () => reports.fair(),
      () => reports.limited(),
      () => lastValueFrom(reports.observable()),
      () => reports.generator().next(),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    }
    expect(await reports.skipped()).toBeUndefined();
    expect(reports.work.done).toBe(0);
  });

  it('are not entered when Redis answers with an error [BC-37]', async () => {
    const reports = open();
    await redis.client.rpush('lock:report', 'a list');
    for (const call of [
      () => reports.locked(),
      () => lastValueFrom(reports.observable()),
      () => reports.generator().next(),
      () => reports.skipped(),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'LOCK_UNAVAILABLE' });
    }
    expect(reports.work.done).toBe(0);
  });

  it('run one at a time, five at a time, when one object is called twenty times at once [BC-42]', async () => {
    const twenty = Array.from({ length: 20 });
    const reports = open();
    await Promise.all(twenty.map(() => reports.oneByOne()));
    expect(reports.work).toMatchObject({ done: 20, most: 1 });
    const others = open();
    await Promise.all(twenty.map(() => others.fiveByFive()));
    expect(others.work).toMatchObject({ done: 20, most: 5 });
  });
});
