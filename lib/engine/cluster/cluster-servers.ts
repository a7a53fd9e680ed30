import calculateSlot from 'cluster-key-slot';
import type { Redis } from 'ioredis';
import type { LockKind } from '../../interfaces/lock-kind.type.js';
import { Alarm } from '../alarm.js';
import { CommandConnection, type Answer } from '../connection/command-connection.js';
import type { ConnectionContext } from '../connection/connection-context.interface.js';
import { isPassing } from '../connection/failures.js';
import {
  fail,
  isWanted,
  joinCalls,
  scriptOf,
  tell,
  toAcquire,
  toRelease,
  type CallTimes,
  type LockBatch,
  type LockCall,
} from '../connection/lock-calls.js';
import { Scripts, type ScriptArgument, type ScriptName } from '../connection/scripts.js';
import type { ServerClock } from '../connection/server-clock.js';
import type { Link, ScriptArguments, Servers } from '../connection/servers.interface.js';
import type { ClusterTopology } from './cluster-topology.js';
import { readRedirection, type Redirection } from './redirection.js';
import { UnknownServer } from './unknown-server.js';

/** Before a command is tried again whose keys are apart, ms. */
const TRY_AGAIN = 20;
/** After so many, nodes that point at each other are given time to agree. */
const MOST_REDIRECTIONS = 5;
/** Between two looks at the Cluster while one of its nodes is missing, ms. */
const LOOK = 500;
/** For which a node that has no slot keeps its connection: one that takes slots over is asked before it has the first, ms. */
const KEPT = 10_000;

interface Node {
  readonly site: string;
  readonly commands: CommandConnection;
  /** Connections of their own that others have to it. */
  readonly others: CommandConnection[];
  usedAt: number;
}

/** The masters of a Cluster, each with a connection of ours; a command goes to the one that has the slot of its keys. */
export class ClusterServers implements Servers {
  onReady: () => void = () => undefined;
  private readonly nodes = new Map<string, Node>();
  private readonly scripts = new Scripts(true);
  private readonly nowhere: Link;
  private readonly look: Alarm;
  private made = 0;
  private closed = false;

  constructor(
    private readonly topology: ClusterTopology,
    private readonly context: ConnectionContext,
    private readonly times: CallTimes,
  ) {
    const { runtime, clock } = context;
    this.nowhere = new UnknownServer(topology, context);
    this.look = new Alarm(runtime, clock, () => {
      if (!this.allReady) topology.refresh();
    });
    topology.onChange(() => this.changed());
  }

  get anyReady(): boolean {
    return [...this.nodes.values()].some(({ commands }) => commands.ready);
  }

  private get allReady(): boolean {
    return [...this.nodes.values()].every(({ commands }) => commands.ready);
  }

  open(): void {
    this.topology.open();
  }

  close(): void {
    this.closed = true;
    this.look.clear();
    for (const address of this.nodes.keys()) this.retire(address);
    this.topology.close();
  }

  of(owner: string): Link {
    return this.nodeOf(owner)?.commands ?? this.nowhere;
  }

  async run(name: ScriptName, keys: readonly string[], args: ScriptArguments, wanted?: () => boolean): Promise<Answer> {
    const { clock, commandTimeout } = this.context;
    const until = clock.now() + commandTimeout;
    let asked: CommandConnection | undefined;
    for (let attempt = 1; ; attempt++) {
      const link = asked ?? this.nodeOf(keys[0] as string)?.commands;
      if (!link) throw this.nowhere.unanswered();
      try {
        return await link.call({ name, keys, args: args(link.server), wanted, asking: asked !== undefined });
      } catch (error) {
        const redirection = readRedirection(error);
        if (!redirection && isPassing(error)) this.topology.refresh();
        if (!redirection || clock.now() >= until || wanted?.() === false) throw error;
        if (redirection.kind === 'later' || attempt > MOST_REDIRECTIONS) await this.pause();
        asked = await this.redirected(redirection, link);
      }
    }
  }

  /** Each has a command of its own: the keys of different locks are in different slots. */
  acquire(kind: LockKind, call: LockCall): void {
    this.ask(toAcquire(kind, [call]), call);
  }

  release(kind: LockKind, call: LockCall): void {
    this.ask(toRelease(kind, [call]), call);
  }

  private ask(batch: LockBatch, call: LockCall): void {
    const { owner, queue, seen } = call.keys;
    const args = (server: ServerClock): readonly ScriptArgument[] => joinCalls(batch, server, this.times).args;
    this.run(scriptOf(batch), [owner, queue, seen], args, () => isWanted(call)).then(
      (answer) => tell(call, answer),
      (error: unknown) => fail(call, error),
    );
  }

  /** Sends one plain command to the server of a key, if it can be asked now. */
  async send(owner: string, command: (redis: Redis) => Promise<unknown>): Promise<void> {
    const commands = this.nodeOf(owner)?.commands;
    if (commands?.ready) await commands.send(command);
  }

  async whenReady(owner: string): Promise<void> {
    await this.of(owner).whenReady();
    // By then it is known which server it is.
    await this.of(owner).whenReady();
  }

  /** While slots move, only scripts with a single key are answered all the time; so no renewal depends on another one. */
  batchOf(owner: string): string {
    return owner;
  }

  siteOf(owner: string): string {
    return this.nodeOf(owner)?.site ?? '';
  }

  connect(site: string, name: string): CommandConnection {
    const node = [...this.nodes.values()].find((one) => one.site === site);
    const connection = node && this.make(node.commands.address, name);
    if (!connection) throw this.nowhere.unanswered();
    node.others.push(connection);
    return connection;
  }

  async follow(error: unknown, from: Link): Promise<boolean> {
    const redirection = readRedirection(error);
    if (!redirection) return false;
    await this.redirected(redirection, from);
    await this.pause();
    return true;
  }

  private nodeOf(owner: string): Node | undefined {
    const address = this.topology.masterOf(calculateSlot(owner));
    if (address === undefined) this.topology.refresh();
    return address === undefined ? undefined : this.node(address);
  }

  private node(address: string): Node | undefined {
    const usedAt = this.context.clock.now();
    const known = this.nodes.get(address);
    if (known) {
      known.usedAt = usedAt;
      return known;
    }
    const commands = this.closed ? undefined : this.make(address, 'commands');
    if (!commands) return undefined;
    const node = { site: `${address} ${this.made++}`, commands, others: [], usedAt };
    this.nodes.set(address, node);
    commands.onReady = () => this.onReady();
    commands.onLost = () => this.missing();
    commands.open();
    return node;
  }

  private make(address: string, purpose: string): CommandConnection | undefined {
    const redis = this.topology.connect(address);
    const name = `${purpose}, ${address}`;
    return redis && new CommandConnection(redis, { ...this.context, scripts: this.scripts, name });
  }

  /** @returns the node to be asked this once, if it is not the one that has the slot */
  private async redirected({ kind, slot, address }: Redirection, from: Link): Promise<CommandConnection | undefined> {
    if (kind === 'later') return undefined;
    const to = this.topology.translate(address, from.address);
    if (kind === 'moved') this.topology.noteMoved(slot, to);
    const commands = this.node(to)?.commands;
    await commands?.whenReady();
    return kind === 'ask' ? commands : undefined;
  }

  private changed(): void {
    const { clock } = this.context;
    for (const [address, { commands, usedAt }] of this.nodes) {
      if (this.topology.isMaster(address)) continue;
      if (!commands.ready || clock.now() - usedAt > KEPT) this.retire(address);
    }
    this.missing();
    this.onReady();
  }

  /** A node that does not answer may be replaced by another one. */
  private missing(): void {
    if (!this.closed && !this.allReady) this.look.bringForward(this.context.clock.now() + LOOK);
  }

  private retire(address: string): void {
    const node = this.nodes.get(address);
    this.nodes.delete(address);
    for (const connection of node ? [node.commands, ...node.others] : []) connection.close();
  }

  private pause(): Promise<void> {
    const { runtime } = this.context;
    return new Promise((resolve) => {
      runtime.setTimeout(resolve, TRY_AGAIN * (0.5 + runtime.random()));
    });
  }
}
