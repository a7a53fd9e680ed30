import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where Debian has libraries, below the root. */
const LIBRARIES = ['lib', 'lib64', 'usr/lib', 'usr/lib64'];

/**
 * Makes a program of an unpacked suite one that can be started here, with the loader and the libraries of that suite.
 *
 * @param {string} root
 * @param {string} name of a program in its usr/bin
 * @returns {string} the path of a script of that name
 */
export function wrapProgram(root, name) {
  const program = join(root, 'usr/bin', name);
  if (!existsSync(program)) throw new Error(`its packages have no ${name}`);
  const folders = libraryFolders(root);
  const script = join(root, 'run', name);
  mkdirSync(dirname(script), { recursive: true });
  // Its own modules, not those of the machine.
  const lua = folders.map((folder) => `${folder}/lua/5.1/?.so`).join(';');
  const command = [findLoader(root, folders), '--library-path', folders.join(':'), program].map(quote).join(' ');
  writeFileSync(script, `#!/bin/sh\nexport LUA_CPATH=${quote(lua)}\nexec ${command} "$@"\n`, { mode: 0o755 });
  return script;
}

/**
 * @param {string} root
 * @returns {string[]} also those of the architecture
 */
function libraryFolders(root) {
  const there = LIBRARIES.map((folder) => join(root, folder)).filter((folder) => existsSync(folder));
  const inside = there.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /-linux-gnu/.test(name))
      .map((name) => join(folder, name)),
  );
  return [...inside, ...there];
}

/**
 * @param {string} root
 * @param {string[]} folders
 */
function findLoader(root, folders) {
  for (const folder of folders) {
    const name = readdirSync(folder).find((file) => /^ld-linux.*\.so\.\d+$/.test(file));
    const loader = name && follow(root, join(folder, name));
    if (loader && existsSync(loader)) return loader;
  }
  throw new Error(`no loader in ${root}`);
}

/**
 * Links that begin with a slash mean the root of the suite, not that of the machine.
 *
 * @param {string} root
 * @param {string} path
 * @returns {string}
 */
function follow(root, path) {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  const target = readlinkSync(path);
  return follow(root, target.startsWith('/') ? join(root, target) : join(dirname(path), target));
}

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
