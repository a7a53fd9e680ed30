import { Injectable, Scope, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { currentLease, WithLock } from 'nestjs-redis-lock';

/** One locked method that tells under which lock it ran. */
export class Counter {
  constructor(readonly name = 'counter') {}

  @WithLock('<this.name>')
  async count(): Promise<string | undefined> {
    return currentLease()?.key;
  }
}

@Injectable()
export class SingletonCounter extends Counter {
  constructor() {
    super('singleton');
  }
}

@Injectable({ scope: Scope.REQUEST })
export class RequestCounter extends Counter {
  constructor() {
    super('request');
  }
}

@Injectable({ scope: Scope.TRANSIENT })
export class TransientCounter extends Counter {
  constructor() {
    super('transient');
  }
}

/** Has a locked method of its own beside the inherited one. */
@Injectable()
export class ExtendedCounter extends Counter {
  constructor() {
    super('extended');
  }

  @WithLock('more')
  async more(): Promise<string[]> {
    return [String(currentLease()?.key), String(await this.count())];
  }
}

/** Uses its lock in hooks that run before the application listens. */
@Injectable()
export class EagerCounter extends Counter implements OnModuleInit, OnApplicationBootstrap {
  readonly seen: (string | undefined)[] = [];

  constructor() {
    super('eager');
  }

  async onModuleInit(): Promise<void> {
    this.seen.push(await this.count());
  }

  async onApplicationBootstrap(): Promise<void> {
    this.seen.push(await this.count());
  }
}
