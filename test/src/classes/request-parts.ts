import {
  Controller,
  Get,
  Injectable,
  UseGuards,
  type CanActivate,
  type NestMiddleware,
  type PipeTransform,
  Query,
  UsePipes,
} from '@nestjs/common';
import { WithLock } from 'nestjs-redis-lock';
import { Overlap } from '../controllers/overlap.js';

@Injectable()
export class LockedGuard implements CanActivate {
  constructor(private readonly overlap: Overlap) {}

  @WithLock('part')
  async canActivate(): Promise<boolean> {
    return this.overlap.work(true);
  }
}

@Injectable()
export class LockedPipe implements PipeTransform {
  constructor(private readonly overlap: Overlap) {}

  @WithLock('part')
  async transform(value: unknown): Promise<unknown> {
    return this.overlap.work(value);
  }
}

@Injectable()
export class LockedMiddleware implements NestMiddleware {
  constructor(private readonly overlap: Overlap) {}

  @WithLock('part')
  async use(_request: unknown, _response: unknown, next: () => void): Promise<void> {
    await this.overlap.work(undefined);
    next();
  }
}

/** Locks nothing itself. */
@Controller('parts')
export class PartsController {
  @Get('guard')
  @UseGuards(LockedGuard)
  guarded(): string {
    return 'guard';
  }

  @Get('pipe')
  @UsePipes(LockedPipe)
  piped(@Query('q') q: string): string {
    return q;
  }

  @Get('middleware')
  behindMiddleware(): string {
    return 'middleware';
  }
}
