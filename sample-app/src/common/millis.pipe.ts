import { BadRequestException, Injectable, type PipeTransform } from '@nestjs/common';

const LONGEST = 60_000;

/** How long a piece of pretended work takes, in milliseconds. */
@Injectable()
export class MillisPipe implements PipeTransform<unknown, number> {
  constructor(private readonly usual: number) {}

  transform(value: unknown): number {
    const millis = value === undefined ? this.usual : Number(value);
    if (!(millis >= 0 && millis <= LONGEST)) {
      throw new BadRequestException(`milliseconds from 0 to ${LONGEST}, please`);
    }
    return millis;
  }
}
