import type { Clock } from '../clock.js';

/** A moment on both clocks: a request that was answered, when it was sent, and the server's time in its answer. */
export interface Reference {
  readonly sentAt: number;
  readonly serverTime: number;
}

/**
 * What is known of the server's clock on the present connection. Its time now is estimated from the last answer; the estimate
 * is behind by the way of that answer, never ahead.
 */
export class ServerClock {
  /** The newest answered acquire; nothing that was sent but not answered, nothing from an earlier connection. */
  reference: Reference | undefined;
  /** Largest fence that this process ever got from this server. */
  lastFence = 0;
  private lastTime = 0;
  private learntAt = 0;

  constructor(private readonly clock: Clock) {}

  /** @param serverTime ms, of a server that was just connected to */
  reset(serverTime: number): void {
    this.reference = undefined;
    this.lastTime = serverTime;
    this.learntAt = this.clock.now();
  }

  forget(): void {
    this.reference = undefined;
  }

  learn(sentAt: number, serverTime: number, receivedAt: number): void {
    if (!this.reference || sentAt > this.reference.sentAt) this.reference = { sentAt, serverTime };
    this.lastTime = serverTime;
    this.learntAt = receivedAt;
  }

  noteFence(fence: number): void {
    if (fence > this.lastFence) this.lastFence = fence;
  }

  now(): number {
    return Math.floor(this.lastTime + this.clock.now() - this.learntAt);
  }
}
