import type { LockKind } from '../../../lib/interfaces/lock-kind.type.js';
import { keysOfOwner, ownerKey, type RedisKeys } from '../../../lib/keys/redis-keys.js';
import type { Scheduler } from '../core/scheduler.js';
import { clientIdOf, type History, type Ownership, type QueuePlace } from '../history/history.js';
import { readHolders, readMarks, readQueue } from './key-states.js';
import type { SimServer } from './sim-server.js';

/** Writes down who owns one key and who waits for it in the eyes of the server, command by command. */
export class KeyWatch {
  private readonly keys: RedisKeys;
  private readonly owners = new Map<string, Ownership>();
  private readonly places = new Map<string, QueuePlace>();
  private queue = new Map<string, number>();
  /** Where a token stood that may have lost its entry; it keeps the ticket. */
  private readonly tickets = new Map<string, number>();
  /** Last signs of life of the waiting processes; negative for those that cannot be pushed. */
  private marks: ReadonlyMap<string, number> = new Map();
  private toldOfTtl = false;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly server: SimServer,
    private readonly history: History,
    readonly kind: LockKind,
    readonly key: string,
  ) {
    this.keys = keysOfOwner(ownerKey(kind, key, { prefix: '' }));
  }

  /**
   * To be called after every command, and after everything else that changes data or clock of the server.
   *
   * @param words of the command
   */
  look(words: readonly string[] = []): void {
    const { now } = this.scheduler;
    const granted = this.lookAtOwners(now);
    const before = this.queue;
    this.queue = readQueue(this.server, this.keys);
    this.lookAtQueue(now);
    for (const token of granted) {
      this.lookForOvertaken(token, granted, before, now);
      // By its own command a process may just have said that it cannot be pushed.
      if (!words.some((word) => word.includes(clientIdOf(token)))) this.lookForUnheard(token, now);
    }
    this.marks = readMarks(this.server, this.keys);
    this.lookForEndless(now);
  }

  /** Names of what is left of the key. */
  leftovers(): string[] {
    const { data } = this.server;
    return Object.values(this.keys).filter(
      (name: string) => (data.get(name)?.expiresAt ?? 0) >= this.server.clock(),
    ) as string[];
  }

  private lookAtOwners(now: number): string[] {
    const { server, owners, history, kind, key } = this;
    const holders = readHolders(server, kind, this.keys);
    const present = new Set(holders.map(({ token }) => token));
    for (const [token, ownership] of owners) {
      // The server's clock may be a fraction ahead of simulated time: what it still has at its last moment is not new.
      if (present.has(token) && ownership.to > now - 1) continue;
      ownership.to = Math.min(ownership.to, now);
      owners.delete(token);
    }
    const granted: string[] = [];
    for (const { token, until } of holders) {
      const to = now + until - server.clock();
      const known = owners.get(token);
      if (known) known.to = to;
      else if (to > now) {
        const ownership = { kind, key, token, from: now, to };
        history.ownerships.push(ownership);
        owners.set(token, ownership);
        granted.push(token);
      }
    }
    return granted;
  }

  private lookAtQueue(now: number): void {
    const { places, history, kind, key } = this;
    for (const [token, place] of places) {
      if (this.queue.has(token)) continue;
      place.to = now;
      places.delete(token);
    }
    for (const [token, ticket] of this.queue) {
      if (places.has(token)) continue;
      this.tickets.set(token, ticket);
      const place = { kind, key, token, from: now, to: Infinity };
      history.places.push(place);
      places.set(token, place);
    }
  }

  private lookForOvertaken(
    token: string,
    granted: readonly string[],
    before: ReadonlyMap<string, number>,
    at: number,
  ): void {
    if (token.startsWith('kept:')) return;
    const own = this.tickets.get(token) ?? Infinity;
    const ahead = [...before].filter(([other, ticket]) => ticket < own && !granted.includes(other));
    if (ahead.length === 0) return;
    const { kind, key, server } = this;
    const overtaken = ahead.map(([other]) => ({
      token: other,
      heard: server.listeners(`lock:wake:${clientIdOf(other)}`) > 0,
    }));
    this.history.overtakings.push({ kind, key, at, token, overtaken });
  }

  private lookForUnheard(token: string, at: number): void {
    const client = clientIdOf(token);
    const mark = this.marks.get(client) ?? 0;
    if (token.startsWith('kept:') || mark < 0 || this.server.listeners(`lock:wake:${client}`) > 0) return;
    const { kind, key } = this;
    this.history.unheard.push({ kind, key, at, token });
  }

  private lookForEndless(at: number): void {
    if (this.toldOfTtl) return;
    for (const name of Object.values(this.keys) as string[]) {
      const entry = this.server.data.get(name);
      if (entry === undefined || entry.expiresAt !== undefined) continue;
      this.toldOfTtl = true;
      this.history.leftovers.push({ at, what: `${name} has no TTL` });
    }
  }
}
