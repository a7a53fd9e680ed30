// For `node --import`: lets a process run the TypeScript of test/src as it is.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
