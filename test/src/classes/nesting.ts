import { Controller, Get, HttpCode, Injectable, Post, Res } from '@nestjs/common';
import { currentLease, LockService, Semaphore, WithLock } from 'nestjs-redis-lock';
import type { ServerResponse } from 'node:http';
import { defer, Observable, of } from 'rxjs';
import { Overlap } from '../controllers/overlap.js';

const KEY = 'order';

const token = (): string | undefined => currentLease()?.token;

/** One holding: the fence tells apart those that a process passed on under one token. */
const holding = (): string | undefined => {
  const lease = currentLease();
  return lease && `${lease.token} ${lease.fence}`;
};

/** Has the key that its callers have, too. */
@Injectable()
export class AuditService {
  constructor(private readonly overlap: Overlap) {}

  @WithLock(KEY, { wait: '60s' })
  async audit(): Promise<string | undefined> {
    return this.overlap.work(holding());
  }

  @WithLock(KEY, { wait: 0 })
  async auditNow(): Promise<string | undefined> {
    return this.overlap.work(holding());
  }

  @WithLock(KEY, { reentrant: false })
  async auditAlone(): Promise<string | undefined> {
    return this.overlap.work(token());
  }

  @WithLock(KEY)
  stream(): Observable<string | undefined> {
    return defer(() => of(holding()));
  }

  @WithLock(KEY)
  async *series(): AsyncGenerator<string | undefined> {
    yield holding();
    yield holding();
  }

  @Semaphore(2, KEY)
  async charge(): Promise<string | undefined> {
    return this.overlap.work(token());
  }
}

@Controller()
export class OrderController {
  /** What calls started and nobody awaits; begins when the test says so. */
  begin: () => void = () => undefined;
  detached: Promise<unknown> | undefined;
  /** What `hold` does while it has the lock. */
  inside: () => unknown = () => undefined;

  constructor(
    private readonly locks: LockService,
    private readonly audits: AuditService,
  ) {}

  /** The holdings under which everything ran that this started, the first one its own. */
  @Get('nested')
  @WithLock(KEY, { wait: '60s' })
  async nested(): Promise<(string | undefined)[]> {
    const holdings = [
      holding(),
      await this.audits.audit(),
      await this.locks.withLock(KEY, () => this.audits.auditNow()),
    ];
    this.audits.stream().subscribe((value) => holdings.push(value));
    for await (const value of this.audits.series()) holdings.push(value);
    return [...holdings, holding()];
  }

  /** Starts several at once. */
  @Get('siblings')
  @WithLock(KEY, { wait: '60s' })
  async siblings(): Promise<(string | undefined)[]> {
    const audit = () => this.audits.audit();
    const calls = [audit(), audit(), this.locks.withLock(KEY, { wait: '60s' }, audit), audit()];
    return [holding(), ...(await Promise.all(calls))];
  }

  /** Answers, and leaves something behind that locks later. */
  @Get('detached')
  @WithLock(KEY)
  async leaveBehind(): Promise<string> {
    const started = new Promise<void>((resolve) => (this.begin = resolve));
    this.detached = started.then(() => this.audits.audit());
    return 'answered';
  }

  /** Answers, and leaves something behind that is inside and stays there until the test lets it go. */
  @Get('staying')
  @WithLock(KEY)
  async leaveInside(): Promise<string> {
    const stay = new Promise<void>((resolve) => (this.begin = resolve));
    this.detached = this.locks.withLock(KEY, () => stay);
    await new Promise(setImmediate);
    return 'answered';
  }

  @Post('hold')
  @HttpCode(200)
  @WithLock(KEY, { wait: 0 })
  async hold(): Promise<string> {
    await this.inside();
    return String(token());
  }

  @Get('alone')
  @WithLock(KEY)
  async alone(): Promise<string | undefined> {
    return this.audits.auditAlone();
  }

  /** No lock of its own. */
  @Get('outside')
  outside(@Res() response: ServerResponse): void {
    response.end(String(token()));
  }
}
