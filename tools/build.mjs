// Builds both forms of the package: dist/esm and dist/cjs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generateLuaModule } from './inline-lua.mjs';

const root = resolve(import.meta.dirname, '..');
const FORMS = /** @type {const} */ ([
  ['tsconfig.build.json', 'dist/esm'],
  ['tsconfig.cjs.json', 'dist/cjs'],
]);

/** @param {string} project */
async function compile(project) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [tsc, '-p', project], {
    cwd: root,
    stdio: 'inherit',
  });
  const [code] = /** @type {[number | null]} */ (await once(child, 'exit'));
  return code === 0;
}

/**
 * Removes what an earlier build made of sources that are gone. Emptying the
 * folder first would take it from under processes that run on it.
 *
 * @param {string} outDir
 */
function prune(outDir) {
  const made = readdirSync(outDir, { recursive: true, withFileTypes: true });
  for (const file of made.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    const base = path.replace(/\.(js|js\.map|d\.ts)$/, '');
    const source = `${base.replace(outDir, join(root, 'lib'))}.ts`;
    if (base !== path && !existsSync(source)) {
      rmSync(path);
    }
  }
}

generateLuaModule();
const built = await Promise.all(FORMS.map(([project]) => compile(project)));
if (built.includes(false)) {
  process.exit(1);
}
for (const [, outDir] of FORMS) {
  prune(join(root, outDir));
}
// The package itself is ESM, this folder is not.
writeFileSync(join(root, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
