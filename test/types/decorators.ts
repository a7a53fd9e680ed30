/* eslint-disable @typescript-eslint/no-unused-vars -- compiled, never run */
import { FairLock, type LockDecoratorOptions, Semaphore, WithLock } from 'nestjs-redis-lock';

/* What the decorators take besides a key, and that all of them check it. */

const shared: LockDecoratorOptions = { ttl: '5s' };

export class Options {
  @WithLock('k', { ttl: '10s', wait: Infinity, connection: 'second', fair: true })
  async all() {
    return 1;
  }

  @WithLock('k', shared)
  async fromElsewhere() {
    return 1;
  }

  // @ts-expect-error a misspelt option
  @WithLock('k', { tll: 5 })
  async misspelt() {}

  // @ts-expect-error not built yet
  @WithLock('k', { fair: false })
  async notBuilt() {}

  // @ts-expect-error a value that does not exist
  @WithLock('k', { onBusy: 'wait' })
  async wrongValue() {}

  // @ts-expect-error a key is needed
  @WithLock()
  async noKey() {}

  // @ts-expect-error several keys are not built yet
  @WithLock(['a', 'b'])
  async severalKeys() {}
}

export class Kinds {
  @FairLock('seat:<0.showId>')
  async reserve(dto: { showId: string }) {}

  // @ts-expect-error checked for every decorator
  @FairLock('seat:<0.show>')
  async wrongField(dto: { showId: string }) {}

  @Semaphore(5)
  async shared() {}

  @Semaphore(5, undefined, { onBusy: 'skip' })
  async sharedSkipping() {}

  @Semaphore(5, 'gateway:<0>', { wait: 0 })
  async charge(tenant: string) {}

  @Semaphore(5, (tenant: string) => tenant)
  async chargeByFunction(tenant: string) {}

  // @ts-expect-error checked for every decorator
  @Semaphore(5, 'gateway:<1>')
  async wrongIndex(tenant: string) {}

  // @ts-expect-error checked for every decorator
  @Semaphore(5, (tenant: number) => String(tenant))
  async wrongFunction(tenant: string) {}

  // @ts-expect-error checked for every decorator
  @Semaphore(5)
  sync() {}

  // @ts-expect-error checked for every decorator
  @Semaphore(5, undefined, { onBusy: 'skip' })
  async skipping() {
    return 1;
  }

  // @ts-expect-error the limit is a number
  @Semaphore('5')
  async textLimit() {}
}
