import { Injectable } from '@nestjs/common';
import { currentLease, WithLock } from 'nestjs-redis-lock';
import { Overlap } from '../controllers/overlap.js';
import type { Worker } from './inheritance.js';

const RUN = Symbol('run');

@Injectable()
export class SymbolNamed implements Worker {
  constructor(private readonly overlap: Overlap) {}

  @WithLock('work')
  async [RUN](): Promise<string | undefined> {
    return this.overlap.work(currentLease()?.key);
  }

  run(): Promise<string | undefined> {
    return this[RUN]();
  }
}

@Injectable()
export class PrivatelyLocked implements Worker {
  constructor(private readonly overlap: Overlap) {}

  run(): Promise<string | undefined> {
    return this.locked();
  }

  @WithLock('work')
  private async locked(): Promise<string | undefined> {
    return this.overlap.work(currentLease()?.key);
  }
}

/** Reaches what only the object itself can reach. */
@Injectable()
export class TrulyPrivate implements Worker {
  readonly #overlap: Overlap;

  constructor(overlap: Overlap) {
    this.#overlap = overlap;
  }

  @WithLock('work')
  async run(): Promise<string | undefined> {
    return this.#work();
  }

  #work(): Promise<string | undefined> {
    return this.#overlap.work(currentLease()?.key);
  }
}
