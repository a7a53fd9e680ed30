import { LockOptionsError } from '../../../errors/lock-options.error.js';
import type { LuaModule } from './lua-module.js';

const PACKAGE = 'wasmoon-lua5.1';
const MISSING =
  `EmbeddedRedis runs the scripts of the locks in Lua 5.1, which the package ${PACKAGE} brings. ` +
  `It is not installed; run: npm install --save-dev ${PACKAGE}@~1.18.10`;

interface WasmoonPackage {
  LuaApi: { initialize(): Promise<{ module: unknown }> };
}

let loading: Promise<LuaModule> | undefined;

/**
 * Lua, once for this process: what runs in it has a state of its own.
 *
 * @throws LockOptionsError when the package is not installed
 */
export function loadLua(): Promise<LuaModule> {
  loading ??= load();
  loading.catch(() => (loading = undefined));
  return loading;
}

async function load(): Promise<LuaModule> {
  const { LuaApi } = await importPackage();
  return (await LuaApi.initialize()).module as LuaModule;
}

async function importPackage(): Promise<WasmoonPackage> {
  try {
    const loaded = (await import('wasmoon-lua5.1')) as unknown as Partial<WasmoonPackage> & {
      default?: WasmoonPackage;
    };
    return (loaded.LuaApi ? loaded : loaded.default) as WasmoonPackage;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const missing = /^(ERR_)?MODULE_NOT_FOUND$/.test(code ?? '') && message.includes(PACKAGE);
    throw missing ? new LockOptionsError(MISSING, { cause: error }) : error;
  }
}
