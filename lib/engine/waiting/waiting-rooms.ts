import { keysOfOwner, type RedisKeys } from '../../keys/redis-keys.js';
import type { LockKind } from '../../interfaces/lock-kind.type.js';
import { Alarm } from '../alarm.js';
import type { Answer } from '../connection/command-connection.js';
import type { EngineContext } from '../engine-context.js';
import { acquireText } from './acquire-text.js';
import { readAcquireAnswer, type AcquireAnswer } from './answer.js';
import type { Waiter } from './waiter.js';
import { WaitingRoom, type PollPace } from './waiting-room.js';

const RETRY = 100;

/** Who the answers are for. */
export interface PollHost {
  settle(waiters: readonly Waiter[], answer: AcquireAnswer, at: Answer): void;
  pollFailed(waiters: readonly Waiter[], error: unknown): void;
}

/** All queues in which this process stands. */
export class WaitingRooms {
  private readonly rooms = new Map<string, WaitingRoom>();
  private readonly pace: PollPace;

  constructor(
    private readonly context: EngineContext,
    private readonly host: PollHost,
  ) {
    const { pollInterval, handoffTtl } = context.times;
    this.pace = { pollInterval, handoffTtl, random: () => context.runtime.random() };
  }

  /** After every answer that a waiter is queued. The next look only comes nearer by it: others wait for the old one. */
  join(waiter: Waiter, answer: AcquireAnswer): void {
    const { request } = waiter;
    const room = this.rooms.get(request.keys.owner) ?? this.openRoom(request.kind, request.keys);
    room.waiters.add(waiter);
    this.plan(room, answer);
  }

  /**
   * After a hand-off by message. Should it lapse, the server takes all of this process for dead, so before that it must hear of
   * those who still wait.
   */
  outlive(waiter: Waiter): void {
    const room = this.rooms.get(waiter.request.keys.owner);
    room?.alarm.bringForward(this.context.clock.now() + (waiter.leases.handed * 2) / 3);
  }

  leave(waiter: Waiter): void {
    const room = this.rooms.get(waiter.request.keys.owner);
    if (!room?.waiters.delete(waiter) || room.waiters.size > 0) return;
    room.alarm.clear();
    this.rooms.delete(room.keys.owner);
  }

  pollAll(): void {
    for (const room of this.rooms.values()) this.poll(room);
  }

  /** Kind and names of a key that a message told of. */
  whereabouts(ownerKey: string): { kind: LockKind; keys: RedisKeys } {
    const room = this.rooms.get(ownerKey);
    if (room) return { kind: room.kind, keys: room.keys };
    const isSemaphore = ownerKey.startsWith('semaphore:', this.context.prefix.length);
    return { kind: isSemaphore ? 'semaphore' : 'lock', keys: keysOfOwner(ownerKey) };
  }

  private openRoom(kind: LockKind, keys: RedisKeys): WaitingRoom {
    const { runtime, clock } = this.context;
    const room: WaitingRoom = new WaitingRoom(kind, keys, new Alarm(runtime, clock, () => this.poll(room)));
    this.rooms.set(keys.owner, room);
    return room;
  }

  private plan(room: WaitingRoom, answer: AcquireAnswer): void {
    const { clock, wakes } = this.context;
    const wake = wakes.of(room.keys);
    if (room.polling || room.waiters.size === 0) return;
    // The channel came while this was asked, and the server takes us for one that polls: it would not tell us of a grant.
    const outdated = wake.pushable && !answer.pushable;
    room.alarm.bringForward(clock.now() + (outdated ? 0 : room.delay(answer, wake.pushable, this.pace)));
  }

  private poll(room: WaitingRoom): void {
    const { servers, wakes, clock } = this.context;
    const { keys } = room;
    if (room.polling || room.waiters.size === 0 || !servers.of(keys.owner).ready) return;
    const waiters = room.eldest();
    const [eldest] = waiters;
    if (!eldest) return room.alarm.set(clock.now() + RETRY);
    room.polling = true;
    room.alarm.clear();
    for (const waiter of waiters) waiter.inFlight = true;
    const wake = wakes.of(room.keys);
    const { pushable } = wake;
    servers.acquire(room.kind, {
      keys,
      text: acquireText({ pushable, queues: true, greeted: wake.wantsGreeting() }, waiters),
      wanted: () => !waiters.some((waiter) => waiter.done),
      answered: (at) => {
        this.polled(room, waiters);
        const answer = readAcquireAnswer(at.reply, pushable);
        this.host.settle(waiters, answer, at);
        this.plan(room, answer);
      },
      failed: (error) => {
        this.polled(room, waiters);
        this.host.pollFailed(waiters, error);
        // When the connection is gone, its return starts all polls anew.
        if (room.waiters.size > 0) room.alarm.set(clock.now() + RETRY);
      },
    });
  }

  private polled(room: WaitingRoom, waiters: readonly Waiter[]): void {
    room.polling = false;
    for (const waiter of waiters) waiter.inFlight = false;
  }
}
