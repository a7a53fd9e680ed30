import { Injectable } from '@nestjs/common';

/** Counts how many are inside at once. */
@Injectable()
export class Overlap {
  most = 0;
  entered = 0;
  private inside = 0;

  enter(): void {
    this.entered += 1;
    this.most = Math.max(this.most, ++this.inside);
  }

  leave(): void {
    this.inside -= 1;
  }

  async work<T>(result: T): Promise<T> {
    this.enter();
    await new Promise((resolve) => setTimeout(resolve, 3));
    this.leave();
    return result;
  }
}
