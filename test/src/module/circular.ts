import { forwardRef, Inject, Injectable, Module } from '@nestjs/common';
import { currentLease, WithLock } from 'nestjs-redis-lock';
import { Overlap } from '../controllers/overlap.js';

/** The compiler would put the class itself into the metadata, which is not there yet. */
interface Other {
  work(): Promise<string>;
}

@Injectable()
export class LeftService {
  constructor(
    @Inject(forwardRef(() => RightService)) private readonly right: Other,
    private readonly overlap: Overlap,
  ) {}

  @WithLock('circle')
  async run(): Promise<string> {
    return this.right.work();
  }

  @WithLock('circle')
  async work(): Promise<string> {
    return this.overlap.work(`left under ${currentLease()?.key}`);
  }
}

@Injectable()
export class RightService {
  constructor(
    @Inject(forwardRef(() => LeftService)) private readonly left: Other,
    private readonly overlap: Overlap,
  ) {}

  @WithLock('circle')
  async run(): Promise<string> {
    return this.left.work();
  }

  @WithLock('circle')
  async work(): Promise<string> {
    return this.overlap.work(`right under ${currentLease()?.key}`);
  }
}

@Module({ providers: [Overlap], exports: [Overlap] })
export class OverlapModule {}

@Module({ imports: [OverlapModule, forwardRef(() => RightModule)], providers: [LeftService], exports: [LeftService] })
export class LeftModule {}

@Module({ imports: [OverlapModule, forwardRef(() => LeftModule)], providers: [RightService], exports: [RightService] })
export class RightModule {}
