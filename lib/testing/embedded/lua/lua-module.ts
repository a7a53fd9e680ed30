/** Address of something in the memory of the WebAssembly module. */
export type Pointer = number;

/** The part of Lua's C interface that is used here, as the module of `wasmoon-lua5.1` exports it. */
export interface LuaModule {
  /** Views of the memory; others after it has grown. */
  readonly HEAPU8: Uint8Array;
  readonly HEAPU32: Uint32Array;
  addFunction(callback: (state: Pointer) => number, signature: string): Pointer;
  removeFunction(callback: Pointer): void;
  _malloc(bytes: number): Pointer;
  _free(pointer: Pointer): void;
  _luaL_newstate(): Pointer;
  _luaL_openlibs(state: Pointer): void;
  _luaL_loadbuffer(state: Pointer, text: Pointer, length: number, name: Pointer): number;
  _luaL_ref(state: Pointer, table: number): number;
  _lua_close(state: Pointer): void;
  _lua_createtable(state: Pointer, items: number, fields: number): void;
  _lua_error(state: Pointer): number;
  _lua_gettop(state: Pointer): number;
  _lua_pcall(state: Pointer, args: number, results: number, handler: number): number;
  _lua_pushboolean(state: Pointer, value: number): void;
  _lua_pushcclosure(state: Pointer, callback: Pointer, values: number): void;
  _lua_pushlstring(state: Pointer, text: Pointer, length: number): void;
  _lua_pushnumber(state: Pointer, value: number): void;
  _lua_rawget(state: Pointer, index: number): void;
  _lua_rawgeti(state: Pointer, index: number, key: number): void;
  _lua_rawset(state: Pointer, index: number): void;
  _lua_rawseti(state: Pointer, index: number, key: number): void;
  _lua_setfenv(state: Pointer, index: number): number;
  _lua_setfield(state: Pointer, index: number, name: Pointer): void;
  _lua_settop(state: Pointer, index: number): void;
  _lua_toboolean(state: Pointer, index: number): number;
  _lua_tolstring(state: Pointer, index: number, length: Pointer): Pointer;
  _lua_tonumber(state: Pointer, index: number): number;
  _lua_type(state: Pointer, index: number): number;
}

/** What `lua_type` answers. */
export const LUA_TYPE = { boolean: 1, number: 3, string: 4, table: 5 } as const;

/** Pseudo-index of Lua 5.1. */
export const REGISTRY = -10_000;
