import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';

export interface Ticket {
  seat: number;
  guest: string;
}

/** Tickets sold per show. Counting and selling are two steps, so that two at a time sell one seat twice. */
@Injectable()
export class SeatStore {
  constructor(private readonly redis: Redis) {}

  async sold(showId: string): Promise<Ticket[]> {
    const lines = await this.redis.lrange(`sample:show:${showId}:tickets`, 0, -1);
    return lines.map((line) => JSON.parse(line) as Ticket);
  }

  async sell(showId: string, ticket: Ticket): Promise<void> {
    await this.redis.rpush(`sample:show:${showId}:tickets`, JSON.stringify(ticket));
  }
}
