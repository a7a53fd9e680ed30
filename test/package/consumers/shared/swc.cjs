// Compiles the application as the builder "swc" of the Nest CLI does, and runs it: node swc.cjs commonjs|es6
const { transformFileSync } = require('@swc/core');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');

const type = process.argv[2];
const { code } = transformFileSync('app.ts', {
  swcrc: false,
  module: { type },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
});
const file = type === 'es6' ? 'app.mjs' : 'app.cjs';
writeFileSync(file, code);
assert.equal(execFileSync(process.execPath, [file], { encoding: 'utf8' }), 'done\n');
