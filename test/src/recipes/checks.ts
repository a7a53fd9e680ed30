import { Injectable } from '@nestjs/common';

/** Something that may take longer than anybody thought. */
@Injectable()
export class Checks {
  pass: (id: string, amount: number) => Promise<void> = async () => undefined;
}
