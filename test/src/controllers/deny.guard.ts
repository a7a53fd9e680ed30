import { Injectable, type CanActivate } from '@nestjs/common';

@Injectable()
export class DenyGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}
