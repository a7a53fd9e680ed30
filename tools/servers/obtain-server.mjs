import { accessSync, constants, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOnPath, serverVersion } from '../redis/find-server.mjs';
import { unpack, whyNoDebian } from './debian.mjs';
import { LINES } from './lines.mjs';
import { wrapProgram } from './wrap-program.mjs';

/** @import { ServerLine } from './lines.mjs' */

/**
 * Finds a server of a line on the PATH, else unpacks one.
 *
 * @param {ServerLine} line
 * @returns {Promise<{ binary: string, version: string }>} rejects with why there is none
 */
export async function obtainServer({ suite, product, version: wanted }) {
  const installed = findOnPath(`${product}-server`);
  const version = installed && (await serverVersion(installed));
  if (installed && version && wanted.test(version)) return { binary: installed, version };
  const binary = await unpackServer(suite, product);
  const unpacked = await serverVersion(binary);
  if (!wanted.test(unpacked)) throw new Error(`${suite} has ${product} ${unpacked}`);
  return { binary, version: unpacked };
}

/**
 * @param {string} suite
 * @param {'redis' | 'valkey'} product
 */
async function unpackServer(suite, product) {
  const root = await unpackSuite(suite);
  wrapProgram(root, `${product}-cli`);
  return wrapProgram(root, `${product}-server`);
}

/** @type {Map<string, Promise<string>>} */
const roots = new Map();

/**
 * All that the lines need of a suite, and a shell, which makes it a whole system.
 *
 * @param {string} suite
 * @returns {Promise<string>} its root folder
 */
export function unpackSuite(suite) {
  const products = LINES.filter((line) => line.suite === suite).map(({ product }) => product);
  const packages = products.flatMap((product) => [`${product}-server`, `${product}-tools`]);
  const root = roots.get(suite) ?? unpackOnce(suite, [...packages, 'dash'], suite);
  roots.set(suite, root);
  return root;
}

/**
 * @param {string} suite
 * @param {string[]} packages
 * @param {string} name of its folder in the cache
 * @param {{ status?: string }} [options] see {@link unpack}
 */
export async function unpackOnce(suite, packages, name, options) {
  const reason = whyNoDebian();
  if (reason !== undefined) throw new Error(reason);
  const root = join(cacheFolder(), `${name}-${process.arch}`);
  await unpack(suite, packages, root, options);
  return root;
}

/** Survives until the dependencies are installed anew. */
function cacheFolder() {
  const usual = join(import.meta.dirname, '../../node_modules/.cache/servers');
  try {
    mkdirSync(usual, { recursive: true });
    accessSync(usual, constants.W_OK);
    return usual;
  } catch {
    const folder = join(tmpdir(), 'nestjs-redis-lock-servers');
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}
