import { Injectable, type Type } from '@nestjs/common';
import { currentLease, WithLock } from 'nestjs-redis-lock';
import { Overlap } from '../controllers/overlap.js';

/** What every class here can do; tells the lock that it ran under. */
export interface Worker {
  run(): Promise<string | undefined>;
}

@Injectable()
export class Base implements Worker {
  constructor(protected readonly overlap: Overlap) {}

  @WithLock('work')
  async run(): Promise<string | undefined> {
    return this.work();
  }

  protected work(): Promise<string | undefined> {
    return this.overlap.work(currentLease()?.key);
  }
}

@Injectable()
export class Inherited extends Base {}

@Injectable()
export class LockedTwice extends Base {
  @WithLock('work')
  override async run(): Promise<string | undefined> {
    await super.run();
    return super.run();
  }
}

/** Has its lock from the method that it calls. */
@Injectable()
export class LockedBelow extends Base {
  override async run(): Promise<string | undefined> {
    return super.run();
  }
}

@Injectable()
class Unlocked implements Worker {
  constructor(protected readonly overlap: Overlap) {}

  async run(): Promise<string | undefined> {
    return this.overlap.work(currentLease()?.key);
  }
}

@Injectable()
export class LockedAbove extends Unlocked {
  @WithLock('work')
  override async run(): Promise<string | undefined> {
    return super.run();
  }
}

@Injectable()
abstract class Template {
  constructor(protected readonly overlap: Overlap) {}

  @WithLock('work')
  async run(): Promise<string | undefined> {
    return this.step();
  }

  protected abstract step(): Promise<string | undefined>;
}

@Injectable()
export class FromTemplate extends Template implements Worker {
  protected step(): Promise<string | undefined> {
    return this.overlap.work(currentLease()?.key);
  }
}

/** A class made by a function, around a class that is handed in. */
export function withLockedRun(Parent: Type<Unlocked>): Type<Worker> {
  @Injectable()
  class Mixed extends Parent {
    @WithLock('work')
    override async run(): Promise<string | undefined> {
      return super.run();
    }
  }
  return Mixed;
}

export const Mixin = withLockedRun(Unlocked);
