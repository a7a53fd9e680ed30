// Turns lua/<name>-<keys>.lua and its includes into one TypeScript module, so
// that the package reads no files at run time.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const INCLUDE = /^-{2,3}[ \t]*@include[ \t]+"([^"]+)"$/;
const ANY_INCLUDE = /^-+[ \t]*@include/;
const FILE_NAME = /^(.+)-(\d+|n)\.lua$/;

/**
 * @typedef {object} Place where a line stands
 * @property {string} file path from the Lua folder
 * @property {number} line counted from 1
 *
 * @typedef {object} LuaScript
 * @property {string} name
 * @property {number | null} numberOfKeys null: the caller decides
 * @property {string} lua
 */

/** A script that cannot be put together: says where, and through which includes. */
export class LuaIncludeError extends Error {
  /**
   * @param {string} problem
   * @param {Place[]} stack the innermost place last
   */
  constructor(problem, stack) {
    const places = stack.map(({ file, line }) => `${file}:${line}`).reverse();
    super([problem, ...places].join('\n    at '));
    this.name = 'LuaIncludeError';
    this.stackOfIncludes = places;
  }
}

/**
 * Puts the included fragments (each once) where they are first asked for, and
 * drops comment lines, blank lines and indentation.
 *
 * @param {string} luaDir folder that include paths start from
 * @param {string} file path of the script in that folder
 * @returns {string}
 */
export function inlineScript(luaDir, file) {
  /** @type {Set<string>} */
  const done = new Set();
  return `${expand(luaDir, file, [], done).join('\n')}\n`;
}

/**
 * @param {string} luaDir
 * @param {string} file
 * @param {Place[]} stack the include lines that led here
 * @param {Set<string>} done
 * @returns {string[]}
 */
function expand(luaDir, file, stack, done) {
  const open = [...stack.map((place) => place.file), file];
  done.add(file);
  const lines = readFileSync(join(luaDir, file), 'utf8').split(/\r?\n/);
  return lines.flatMap((raw, index) => {
    const text = raw.trim();
    const here = [...stack, { file, line: index + 1 }];
    const wanted = includedFile(text, here);
    if (wanted !== undefined) {
      if (open.includes(wanted)) {
        throw new LuaIncludeError(`Circular include of "${wanted}"`, here);
      }
      if (!existsSync(join(luaDir, wanted))) {
        throw new LuaIncludeError(`Missing include "${wanted}"`, here);
      }
      return done.has(wanted) ? [] : expand(luaDir, wanted, here, done);
    }
    if (text.includes('[[')) {
      // Stripping line by line would cut into a long string or block comment.
      throw new LuaIncludeError('Long brackets are not supported', here);
    }
    return text === '' || text.startsWith('--') ? [] : [text];
  });
}

/**
 * @param {string} text
 * @param {Place[]} here
 * @returns {string | undefined}
 */
function includedFile(text, here) {
  const path = INCLUDE.exec(text)?.[1];
  if (path === undefined && ANY_INCLUDE.test(text)) {
    // Otherwise a typing mistake would vanish as a comment.
    throw new LuaIncludeError(`Malformed include: ${text}`, here);
  }
  return path === undefined ? undefined : `${path.replace(/\.lua$/, '')}.lua`;
}

/**
 * @param {string} luaDir
 * @returns {LuaScript[]} sorted by name
 */
export function readScripts(luaDir) {
  const files = readdirSync(luaDir).filter((file) => file.endsWith('.lua'));
  const scripts = files.sort().map((file) => {
    const [, name, keys] = FILE_NAME.exec(file) ?? [];
    if (name === undefined || keys === undefined) {
      throw new Error(`${file}: a script is named <name>-<keys>.lua`);
    }
    const numberOfKeys = keys === 'n' ? null : Number(keys);
    return { name, numberOfKeys, lua: inlineScript(luaDir, file) };
  });
  const twice = scripts.find(({ name }, i) => scripts[i + 1]?.name === name);
  if (twice !== undefined) {
    throw new Error(`Two scripts are named ${twice.name}`);
  }
  return scripts;
}

/**
 * @param {LuaScript[]} scripts
 * @returns {string} the text of the TypeScript module
 */
export function renderModule(scripts) {
  const entries = scripts.map((script) => `  ${JSON.stringify(script.name)}: ${JSON.stringify(script)},`);
  return [
    '// Written by tools/inline-lua.mjs from lua/*.lua. Do not edit.',
    'export const luaScripts = {',
    ...entries,
    '} as const;',
    '',
  ].join('\n');
}

/**
 * @param {string} luaDir
 * @param {string} outFile
 */
export function generate(luaDir, outFile) {
  const text = renderModule(readScripts(luaDir));
  // An unchanged file keeps its date: watchers and running tests stay calm.
  if (existsSync(outFile) && readFileSync(outFile, 'utf8') === text) {
    return;
  }
  mkdirSync(dirname(outFile), { recursive: true });
  writeFileSync(outFile, text);
  console.log(`wrote ${relative(process.cwd(), outFile)}`);
}

/** Writes the module of this package. */
export function generateLuaModule() {
  const outFile = join(root, 'lib', 'scripts', 'lua-scripts.generated.ts');
  generate(join(root, 'lua'), outFile);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  generateLuaModule();
}
