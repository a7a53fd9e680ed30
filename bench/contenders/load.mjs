import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const BUILT = new URL('../../dist/esm/', import.meta.url);
const fromPackage = createRequire(new URL('index.js', BUILT));
const fromBench = createRequire(import.meta.url);

/**
 * A peer, which is installed here only and so unknown to the compiler of the package.
 *
 * @param {string} name
 * @returns {any}
 */
export const loadPeer = (name) => /** @type {unknown} */ (fromBench(name));

/** The built package, not its sources. @returns {Promise<typeof import('nestjs-redis-lock')>} */
export const loadOurs = () => import(new URL('index.js', BUILT).href);

/** @returns {Promise<typeof import('nestjs-redis-lock/testing')>} */
export const loadOurTesting = () => import(new URL('testing/index.js', BUILT).href);

/**
 * What the package itself gets under this name; peers may bring another version of it.
 *
 * @param {string} name
 * @returns {Promise<any>}
 */
export const loadAsOurs = (name) => import(pathToFileURL(fromPackage.resolve(name)).href);
