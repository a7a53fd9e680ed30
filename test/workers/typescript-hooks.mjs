import { transformFile } from '@swc/core';
import { fileURLToPath } from 'node:url';

/** @import { LoadHook, ResolveHook } from 'node:module' */

/** @type {import('@swc/core').Options} */
const OPTIONS = {
  swcrc: false,
  sourceMaps: 'inline',
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
};

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
  const { code } = await transformFile(fileURLToPath(url), OPTIONS);
  return { format: /** @type {const} */ ('module'), source: code, shortCircuit: true };
}
