/**
 * The server's clock in microseconds, made of one that counts milliseconds. It stands still while a command runs, as that of
 * Redis does, and two commands never see the same time while the clock it is made of has not gone back: fences rise by it.
 */
export class ServerTime {
  micros = 0;
  private reading = -Infinity;

  /** @param read ms since 1970, now */
  constructor(private readonly read: () => number) {
    this.advance();
  }

  get millis(): number {
    return Math.floor(this.micros / 1000);
  }

  /** To be called before every command. */
  advance(): void {
    const reading = this.read();
    const micros = Math.floor(reading * 1000);
    this.micros = reading < this.reading ? micros : Math.max(micros, this.micros + 1);
    this.reading = reading;
  }
}
