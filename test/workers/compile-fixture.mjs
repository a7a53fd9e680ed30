// Compiles a fixture for plain Node, with the package as it was built.
// Arguments: main file, folder to write to, and `--swagger-plugin` for what the CLI plugin of swagger adds.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');
const [main = '', outDir = '', plugin] = process.argv.slice(2);

const { config } = /** @type {{ config: object }} */ (
  ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path))
);
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [main] }, ts.sys, root);
const program = ts.createProgram([main], {
  ...options,
  rootDir: join(root, 'test'),
  outDir,
  paths: {},
  noEmit: false,
  allowJs: false,
  checkJs: false,
  // The plugin asks for types.
  isolatedModules: false,
});

/** @returns {ts.TransformerFactory<ts.SourceFile>} */
function swaggerPlugin() {
  const require = createRequire(import.meta.url);
  const { before } = /** @type {typeof import('@nestjs/swagger/plugin')} */ (require('@nestjs/swagger/plugin'));
  return before({ introspectComments: true, esmCompatible: true }, program);
}

const before = plugin === '--swagger-plugin' ? [swaggerPlugin()] : [];
program.emit(undefined, undefined, undefined, undefined, { before });
