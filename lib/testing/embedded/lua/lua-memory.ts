import type { LuaModule, Pointer } from './lua-module.js';

/** Texts on their way into Lua and out of it, byte for byte. */
export class LuaMemory {
  private readonly lengthCell: Pointer;
  private readonly names: Pointer[] = [];
  private buffer: Pointer;
  private size = 64 * 1024;

  constructor(private readonly lua: LuaModule) {
    this.lengthCell = lua._malloc(4);
    this.buffer = lua._malloc(this.size);
  }

  /** Text that stays, ended by a zero, as C has names. */
  name(text: string): Pointer {
    const pointer = this.lua._malloc(text.length + 1);
    this.write(`${text}\0`, pointer);
    this.names.push(pointer);
    return pointer;
  }

  /** @returns where the text is until the next call */
  place(text: string): Pointer {
    if (text.length > this.size) {
      this.lua._free(this.buffer);
      this.size = text.length * 2;
      this.buffer = this.lua._malloc(this.size);
    }
    this.write(text, this.buffer);
    return this.buffer;
  }

  push(state: Pointer, text: string): void {
    this.lua._lua_pushlstring(state, this.place(text), text.length);
  }

  read(state: Pointer, index: number): string {
    const start = this.lua._lua_tolstring(state, index, this.lengthCell);
    const length = this.lua.HEAPU32[this.lengthCell >> 2] as number;
    const { buffer } = this.lua.HEAPU8;
    return Buffer.from(buffer, start, length).toString('latin1');
  }

  free(): void {
    for (const pointer of [this.buffer, this.lengthCell, ...this.names]) this.lua._free(pointer);
  }

  private write(text: string, pointer: Pointer): void {
    const { HEAPU8 } = this.lua;
    for (let i = 0; i < text.length; i++) HEAPU8[pointer + i] = text.charCodeAt(i);
  }
}
