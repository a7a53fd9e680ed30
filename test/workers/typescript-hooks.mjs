import { transformFile } from '@swc/core';
import { fileURLToPath } from 'node:url';
import { swcOptions } from '../swc-options.mjs';

/** @import { LoadHook, ResolveHook } from 'node:module' */

/**
 * Sources name the file that a build would make of them.
 *
 * @type {ResolveHook}
 */
export function resolve(specifier, context, next) {
  const fromTypeScript = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(fromTypeScript ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

/** @type {LoadHook} */
export function load(url, context, next) {
  return url.endsWith('.ts') ? transpile(url) : next(url, context);
}

/** @param {string} url */
async function transpile(url) {
  const { code } = await transformFile(fileURLToPath(url), swcOptions);
  return { format: /** @type {const} */ ('module'), source: code, shortCircuit: true };
}
