import { Injectable } from '@nestjs/common';

/** A bank that does not answer as often as a test wants. */
@Injectable()
export class Bank {
  failures = 0;
  /** Fences of the payments that it was asked for. */
  readonly asked: number[] = [];
  private readonly receipts = new Map<string, string>();

  async receipt(invoiceId: string): Promise<string | undefined> {
    return this.receipts.get(invoiceId);
  }

  async pay(invoiceId: string, fence: number): Promise<string> {
    this.asked.push(fence);
    if (this.failures-- > 0) throw new Error('the bank does not answer');
    this.receipts.set(invoiceId, `receipt of ${invoiceId}`);
    return `receipt of ${invoiceId}`;
  }
}
