import { Double, ErrorReply, NO_REPLY, Pairs, Status, Verbatim, type Reply } from '../resp/reply.js';
import type { LuaMemory } from './lua-memory.js';
import { LUA_TYPE, type LuaModule, type Pointer } from './lua-module.js';
import { formatDouble } from '../resp/format-number.js';

/** Turns answers of commands into Lua values, and values of scripts into words and answers, by the rules of Redis. */
export class LuaValues {
  constructor(
    private readonly lua: LuaModule,
    private readonly memory: LuaMemory,
  ) {}

  /** @returns undefined when an argument is neither text nor number */
  readArguments(state: Pointer): string[] | undefined {
    const count = this.lua._lua_gettop(state);
    const words: string[] = [];
    for (let i = 1; i <= count; i++) {
      const type = this.lua._lua_type(state, i);
      if (type === LUA_TYPE.string) words.push(this.memory.read(state, i));
      else if (type === LUA_TYPE.number) words.push(formatDouble(this.lua._lua_tonumber(state, i)));
      else return undefined;
    }
    return words;
  }

  /** Scripts speak RESP2: what is more in RESP3 comes as RESP2 has it. */
  push(state: Pointer, reply: Reply): void {
    const { lua, memory } = this;
    if (typeof reply === 'string') memory.push(state, reply);
    else if (typeof reply === 'number' || typeof reply === 'bigint') lua._lua_pushnumber(state, Number(reply));
    else if (reply === null || reply === NO_REPLY) lua._lua_pushboolean(state, 0);
    else if (reply instanceof Status) this.pushField(state, 'ok', reply.text);
    else if (reply instanceof ErrorReply) this.pushField(state, 'err', reply.message);
    else if (reply instanceof Double) memory.push(state, formatDouble(reply.value));
    else if (reply instanceof Verbatim) memory.push(state, reply.text);
    else this.pushList(state, reply instanceof Pairs ? reply.flat() : reply);
  }

  pushList(state: Pointer, items: readonly Reply[]): void {
    this.lua._lua_createtable(state, items.length, 0);
    for (const [i, item] of items.entries()) {
      this.push(state, item);
      this.lua._lua_rawseti(state, -2, i + 1);
    }
  }

  /** The value on top of the stack; it stays there. */
  readReply(state: Pointer): Reply {
    const { lua } = this;
    switch (lua._lua_type(state, -1)) {
      case LUA_TYPE.string:
        return this.memory.read(state, -1);
      case LUA_TYPE.number:
        return toWhole(lua._lua_tonumber(state, -1));
      case LUA_TYPE.boolean:
        return lua._lua_toboolean(state, -1) ? 1 : null;
      case LUA_TYPE.table:
        return this.readTable(state);
      default:
        return null;
    }
  }

  /** @returns the text in a field of the table on top of the stack, undefined when it holds none */
  textField(state: Pointer, name: string): string | undefined {
    return this.field(state, name, LUA_TYPE.string, () => this.memory.read(state, -1));
  }

  numberField(state: Pointer, name: string): number | undefined {
    return this.field(state, name, LUA_TYPE.number, () => this.lua._lua_tonumber(state, -1));
  }

  private field<T>(state: Pointer, name: string, type: number, read: () => T): T | undefined {
    this.memory.push(state, name);
    this.lua._lua_rawget(state, -2);
    const value = this.lua._lua_type(state, -1) === type ? read() : undefined;
    this.lua._lua_settop(state, -2);
    return value;
  }

  private readTable(state: Pointer): Reply {
    const error = this.textField(state, 'err');
    if (error !== undefined) return new ErrorReply(error);
    const status = this.textField(state, 'ok');
    if (status !== undefined) return new Status(status.replace(/[\r\n]/g, ' '));
    const items: Reply[] = [];
    for (;;) {
      this.lua._lua_rawgeti(state, -1, items.length + 1);
      const ends = this.lua._lua_type(state, -1) === 0;
      if (!ends) items.push(this.readReply(state));
      this.lua._lua_settop(state, -2);
      if (ends) return items;
    }
  }

  private pushField(state: Pointer, name: 'ok' | 'err', text: string): void {
    this.lua._lua_createtable(state, 0, 1);
    this.memory.push(state, name);
    this.memory.push(state, text);
    this.lua._lua_rawset(state, -3);
  }
}

/** As C casts a double to a 64-bit integer. */
function toWhole(value: number): number | bigint {
  const whole = Math.trunc(value);
  if (Number.isSafeInteger(whole)) return whole === 0 ? 0 : whole;
  if (Number.isNaN(whole) || Math.abs(whole) >= 2 ** 63) return -(2n ** 63n);
  return BigInt(whole);
}
