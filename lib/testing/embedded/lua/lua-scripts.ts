import { createHash } from 'node:crypto';
import { ErrorReply, type Reply } from '../resp/reply.js';
import { LuaMemory } from './lua-memory.js';
import { REGISTRY, type LuaModule, type Pointer } from './lua-module.js';
import { LuaValues } from './lua-values.js';
import { PRELUDE } from './prelude.js';

/** Runs one command for a script; an error is an answer like others. */
export type ScriptCall = (words: readonly string[]) => Reply;

const WRONG_ARGUMENTS = 'ERR Lua redis lib command arguments must be strings or integers';
const NO_ARGUMENTS = 'ERR Please specify at least one argument for this redis lib call';

export function digestOf(text: string): string {
  return createHash('sha1').update(text, 'latin1').digest('hex');
}

/** The Lua of one server: compiles scripts and runs them, one at a time. */
export class LuaScripts {
  private readonly state: Pointer;
  private readonly memory: LuaMemory;
  private readonly values: LuaValues;
  private readonly globals: number;
  private readonly environment: number;
  private readonly errorHandler: number;
  /** What Lua calls of ours. */
  private readonly host: readonly Pointer[];
  private readonly chunkName: Pointer;
  private readonly argumentNames: readonly [Pointer, Pointer];
  private call: ScriptCall = () => new ErrorReply('ERR no script runs');

  constructor(private readonly lua: LuaModule) {
    this.memory = new LuaMemory(lua);
    this.values = new LuaValues(lua, this.memory);
    this.state = lua._luaL_newstate();
    this.chunkName = this.memory.name('@user_script');
    this.argumentNames = [this.memory.name('KEYS'), this.memory.name('ARGV')];
    this.host = [this.caller(true), this.caller(false), this.digester()].map((host) => lua.addFunction(host, 'ii'));
    lua._luaL_openlibs(this.state);
    [this.globals, this.environment, this.errorHandler] = this.prepare();
  }

  /**
   * @returns the number by which `run` knows the script
   * @throws ErrorReply
   */
  compile(text: string): number {
    const { lua, state } = this;
    const failed = lua._luaL_loadbuffer(state, this.memory.place(text), text.length, this.chunkName) !== 0;
    if (failed) {
      const problem = this.memory.read(state, -1);
      lua._lua_settop(state, 0);
      throw new ErrorReply(`ERR Error compiling script (new function): ${problem}`);
    }
    lua._lua_rawgeti(state, REGISTRY, this.environment);
    lua._lua_setfenv(state, -2);
    return lua._luaL_ref(state, REGISTRY);
  }

  /** @throws ErrorReply when the script fails; what it wrote before stays */
  run(script: number, digest: string, keys: readonly string[], args: readonly string[], call: ScriptCall): Reply {
    const { lua, state } = this;
    this.call = call;
    lua._lua_rawgeti(state, REGISTRY, this.errorHandler);
    lua._lua_rawgeti(state, REGISTRY, this.globals);
    for (const [i, words] of [keys, args].entries()) {
      this.values.pushList(state, words);
      lua._lua_setfield(state, -2, this.argumentNames[i] as Pointer);
    }
    lua._lua_rawgeti(state, REGISTRY, script);
    const failed = lua._lua_pcall(state, 0, 1, 1) !== 0;
    try {
      if (failed) throw this.failure(digest);
      return this.values.readReply(state);
    } finally {
      lua._lua_settop(state, 0);
    }
  }

  close(): void {
    this.lua._lua_close(this.state);
    for (const host of this.host) this.lua.removeFunction(host);
    this.memory.free();
  }

  /** What the handler of errors made of it. */
  private failure(digest: string): ErrorReply {
    const message = this.values.textField(this.state, 'err') ?? 'ERR unknown error';
    const line = this.values.numberField(this.state, 'line');
    return new ErrorReply(line === undefined ? message : `${message} script: ${digest}, on @user_script:${line}.`);
  }

  private prepare(): [number, number, number] {
    const { lua, state } = this;
    lua._luaL_loadbuffer(state, this.memory.place(PRELUDE), PRELUDE.length, this.memory.name('=prelude'));
    for (const host of this.host) lua._lua_pushcclosure(state, host, 0);
    lua._lua_pcall(state, 3, 3, 0);
    const handler = lua._luaL_ref(state, REGISTRY);
    const environment = lua._luaL_ref(state, REGISTRY);
    return [lua._luaL_ref(state, REGISTRY), environment, handler];
  }

  /** @param raises `redis.call`, as opposed to `redis.pcall` */
  private caller(raises: boolean): (state: Pointer) => number {
    return (state) => {
      const reply = this.answer(state);
      this.lua._lua_settop(state, 0);
      this.values.push(state, reply);
      // Lua leaves this function by way of an exception, which must not be caught here.
      return raises && reply instanceof ErrorReply ? this.lua._lua_error(state) : 1;
    };
  }

  private answer(state: Pointer): Reply {
    const words = this.values.readArguments(state);
    if (words === undefined) return new ErrorReply(WRONG_ARGUMENTS);
    return words.length === 0 ? new ErrorReply(NO_ARGUMENTS) : this.call(words);
  }

  private digester(): (state: Pointer) => number {
    return (state) => {
      const text = this.memory.read(state, 1);
      this.memory.push(state, digestOf(text));
      return 1;
    };
  }
}
