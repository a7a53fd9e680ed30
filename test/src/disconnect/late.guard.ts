import { Injectable, type CanActivate } from '@nestjs/common';

/** Lets nobody in before the test says so. */
@Injectable()
export class LateGuard implements CanActivate {
  asked = 0;
  open: () => void;
  private readonly opened = new Promise<true>((resolve) => {
    this.open = () => resolve(true);
  });

  canActivate(): Promise<true> {
    this.asked += 1;
    return this.opened;
  }
}
