import { LockOptionsError } from '../errors/lock-options.error.js';
import { DEFAULT_CONNECTION } from './defaults.js';
import type { ModuleSettings } from './module-settings.js';

type Connection = ModuleSettings['connection'];

const NODES_MISSING = 'a Cluster needs nodes: [{ host, port }, ...] beside its other options';

/** Options of a Cluster, or of libraries that wrap ioredis; ioredis itself would ignore them and ask localhost. */
const STRANGE_OPTIONS: Readonly<Record<string, string>> = {
  url: 'ioredis has no option "url"; give the URL itself as connection',
  uri: 'ioredis has no option "uri"; give the URL itself as connection',
  startupNodes: NODES_MISSING,
  rootNodes: NODES_MISSING,
  redisOptions: NODES_MISSING,
  clusterRetryStrategy: NODES_MISSING,
  replicas: 'replicas stands beside connection, in defaults: { replicas }',
};

/**
 * Where Redis is. The value is never quoted, since it may hold a password.
 *
 * @throws LockOptionsError
 */
export function checkConnection(connection: unknown, where: string): Connection {
  const flaw = flawOf(connection);
  if (flaw !== undefined) throw new LockOptionsError(`${where}: connection: ${flaw}.`);
  return connection === undefined ? DEFAULT_CONNECTION : (connection as Connection);
}

function flawOf(connection: unknown): string | undefined {
  if (connection === undefined) return undefined;
  if (typeof connection === 'string') return flawOfUrl(connection);
  if (typeof connection === 'number') return 'a bare port; write { host, port } or redis://localhost:6379';
  if (typeof connection === 'object' && connection !== null) return flawOfObject(connection);
  return 'it must be a URL, ioredis options or an ioredis client';
}

function flawOfUrl(text: string): string | undefined {
  if (!/^rediss?:\/\//i.test(text)) return 'a URL must begin with redis:// or rediss://';
  if (!URL.canParse(text)) return 'this is not a valid URL; special characters in a password must be percent-encoded';
  const { hostname, pathname, username, password } = new URL(text);
  if (hostname === '') return 'the URL names no host';
  if (!/^\/?\d*$/.test(pathname)) return 'the path of the URL must be the number of a database';
  return decodes(username + password) ? undefined : 'user or password in the URL hold a % that encodes nothing';
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function flawOfObject(connection: object): string | undefined {
  if (Array.isArray(connection)) return 'several masters (quorum mode) are not part of this version';
  if ('isCluster' in connection) return flawOfCluster((connection as unknown as { options: object }).options);
  if ('nodes' in connection) return flawOfNodes(connection.nodes) ?? flawOfCluster(connection);
  // By shape, since the application may have another copy of ioredis than we have.
  if ('duplicate' in connection) return 'defineCommand' in connection ? undefined : 'the client is not one of ioredis';
  if ('href' in connection) return 'a URL object; give its text, url.href';
  const strange = Object.keys(connection).find((option) => Object.hasOwn(STRANGE_OPTIONS, option));
  return strange === undefined ? flawOfOptions(connection as Record<string, unknown>) : STRANGE_OPTIONS[strange];
}

function flawOfNodes(nodes: unknown): string | undefined {
  if (!Array.isArray(nodes) || nodes.length === 0) return 'nodes must be a list of { host, port }';
  const strange = nodes.some((node) => typeof node !== 'string' && !isWhole(node, 65_535) && !isPlace(node));
  return strange ? 'each of nodes must be { host, port } or a URL' : undefined;
}

function isPlace(node: unknown): boolean {
  const { host, port } = Object(node) as Record<string, unknown>;
  return (
    (host == null || typeof host === 'string') && (port == null || isWhole(port, 65_535)) && (host ?? port) != null
  );
}

function flawOfCluster(options: object): string | undefined {
  const { redisOptions } = options as { redisOptions?: { db?: unknown } };
  return Number(redisOptions?.db ?? 0) === 0 ? undefined : 'a Cluster has no other database than 0';
}

/** What ioredis would take as it is, and then never connect, or connect to something else. */
function flawOfOptions({ host, port, db, sentinels, name }: Record<string, unknown>): string | undefined {
  if (host != null && typeof host !== 'string') return 'host must be text';
  if (port != null && !isWhole(port, 65_535)) return 'port must be a number from 0 to 65535';
  if (db != null && !isWhole(db, Infinity)) return 'db must be the number of a database';
  if (sentinels == null) return undefined;
  if (!Array.isArray(sentinels) || sentinels.length === 0) return 'sentinels must be a list of { host, port }';
  return typeof name === 'string' && name !== '' ? undefined : 'Sentinels need the name of the master, as name';
}

/** ioredis also takes digits as text, as they come from the environment. */
function isWhole(value: unknown, most: number): boolean {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) && (number as number) >= 0 && (number as number) <= most;
}
