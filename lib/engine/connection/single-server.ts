import type { LockKind } from '../../interfaces/lock-kind.type.js';
import type { Answer, CommandConnection } from './command-connection.js';
import { LockBatches } from './lock-batches.js';
import type { CallTimes, LockCall } from './lock-calls.js';
import type { ScriptName } from './scripts.js';
import type { Link, ScriptArguments, Servers } from './servers.interface.js';

/** One Redis, or the master that Sentinels name, keeps all locks. */
export class SingleServer implements Servers {
  private readonly others: CommandConnection[] = [];
  private readonly batches: LockBatches;
  private closed = false;

  /** @param make a further connection to the same server */
  constructor(
    private readonly commands: CommandConnection,
    private readonly make: (name: string) => CommandConnection,
    times: CallTimes,
  ) {
    this.batches = new LockBatches(commands, times);
  }

  set onReady(listener: () => void) {
    this.commands.onReady = listener;
  }

  get anyReady(): boolean {
    return this.commands.ready;
  }

  open(): void {
    this.commands.open();
  }

  close(): void {
    this.closed = true;
    this.batches.flush();
    for (const connection of [this.commands, ...this.others]) connection.close();
  }

  of(): Link {
    return this.commands;
  }

  run(name: ScriptName, keys: readonly string[], args: ScriptArguments, wanted?: () => boolean): Promise<Answer> {
    // Whatever was asked before comes before.
    this.batches.flush();
    return this.commands.call({ name, keys, args: args(this.commands.server), wanted });
  }

  acquire(kind: LockKind, call: LockCall): void {
    this.batches.acquire(kind, call);
  }

  release(kind: LockKind, call: LockCall): void {
    this.batches.release(kind, call);
  }

  whenReady(): Promise<void> {
    return this.commands.whenReady();
  }

  batchOf(): string {
    return '';
  }

  siteOf(): string {
    return '';
  }

  connect(_site: string, name: string): CommandConnection {
    if (this.closed) throw this.commands.unanswered();
    const connection = this.make(name);
    this.others.push(connection);
    return connection;
  }

  follow(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
