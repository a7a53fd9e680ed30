import { Injectable } from '@nestjs/common';
import { WithLock } from 'nestjs-redis-lock';

/** Takes money, in a while, as banks do. */
@Injectable()
export class Bank {
  readonly charged: string[] = [];

  async charge(id: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 10));
    this.charged.push(id);
  }
}

@Injectable()
export class OrderService {
  private readonly paid = new Set<string>();

  constructor(private readonly bank: Bank) {}

  @WithLock('order:<0>')
  async pay(id: string): Promise<void> {
    if (this.paid.has(id)) return;
    await this.bank.charge(id);
    this.paid.add(id);
  }
}
