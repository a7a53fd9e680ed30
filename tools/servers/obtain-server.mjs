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

/** @type {Map<string, Promise<string>>} */
const roots = new Map();

/**
 * @param {string} suite
 * @param {'redis' | 'valkey'} product
 */
async function unpackServer(suite, product) {
  const root = roots.get(suite) ?? unpackSuite(suite);
  roots.set(suite, root);
  wrapProgram(await root, `${product}-cli`);
  return wrapProgram(await root, `${product}-server`);
}

/**
 * All that the lines need of a suite.
 *
 * @param {string} suite
 */
async function unpackSuite(suite) {
  const reason = whyNoDebian();
  if (reason !== undefined) throw new Error(reason);
  const products = LINES.filter((line) => line.suite === suite).map(({ product }) => product);
  const root = join(cacheFolder(), `${suite}-${process.arch}`);
  await unpack(
    suite,
    products.flatMap((product) => [`${product}-server`, `${product}-tools`]),
    root,
  );
  return root;
}

/** Survives until the dependencies are installed anew. */
export function cacheFolder() {
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
