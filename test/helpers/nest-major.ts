import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const main = createRequire(import.meta.url).resolve('@nestjs/core');
const { version } = JSON.parse(readFileSync(join(dirname(main), 'package.json'), 'utf8')) as { version: string };

/** Major version of Nest that the tests run on. */
export const NEST_MAJOR = Number.parseInt(version, 10);
