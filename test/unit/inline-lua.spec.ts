import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inlineScript, readScripts, renderModule } from '../../tools/inline-lua.mjs';

const fixture = (name: string) => join('test', 'fixtures', 'lua', name);

describe('inlineScript', () => {
  it('puts nested includes before what needs them and strips the rest', () => {
    expect(inlineScript(fixture('nested'), 'outer-2.lua').split('\n')).toEqual([
      'local function now()',
      "return redis.call('TIME')[1]",
      'end',
      'local function drive(mine)',
      'return mine or now()',
      'end',
      "local mine = redis.call('GET', KEYS[1]) -- stays: not a line of its own",
      'return drive(mine)',
      '',
    ]);
  });

  it('takes each fragment once', () => {
    const lua = inlineScript(fixture('once-only'), 'twice-1.lua');
    expect(lua.match(/local shared/g)).toHaveLength(1);
    expect(lua.match(/function left/g)).toHaveLength(1);
    expect(lua.match(/function right/g)).toHaveLength(1);
  });

  it('refuses a circular include and names the way there', () => {
    expect(() => inlineScript(fixture('circular'), 'loop-1.lua')).toThrow(
      [
        'Circular include of "includes/a.lua"',
        '    at includes/b.lua:3',
        '    at includes/a.lua:1',
        '    at loop-1.lua:2',
      ].join('\n'),
    );
  });

  it('refuses a missing include and names the line', () => {
    expect(() => inlineScript(fixture('missing'), 'lost-1.lua')).toThrow(
      ['Missing include "includes/absent.lua"', '    at includes/present.lua:2', '    at lost-1.lua:1'].join('\n'),
    );
  });

  it('refuses an include that would be taken for a comment', () => {
    expect(() => inlineScript(fixture('malformed'), 'quotes-1.lua')).toThrow(
      /Malformed include.*\n {4}at quotes-1.lua:1/,
    );
  });
});

describe('readScripts', () => {
  it('takes name and number of keys from the file name', () => {
    const scripts = readScripts(fixture('nested'));
    expect(scripts.map(({ name, numberOfKeys }) => [name, numberOfKeys])).toEqual([
      ['any', null],
      ['outer', 2],
    ]);
  });

  it.each([
    { why: 'a name without keys', files: ['acquire.lua'], message: /acquire/ },
    {
      why: 'one name twice',
      files: ['acquire-2.lua', 'acquire-3.lua'],
      message: 'Two scripts are named acquire',
    },
  ])('refuses $why', ({ files, message }) => {
    const dir = mkdtempSync(join(tmpdir(), 'lua-'));
    for (const file of files) {
      writeFileSync(join(dir, file), 'return 1\n');
    }
    expect(() => readScripts(dir)).toThrow(message);
    rmSync(dir, { recursive: true });
  });
});

describe('renderModule', () => {
  it('writes one entry per script, keyed by its name', () => {
    const text = renderModule([{ name: 'any', numberOfKeys: null, lua: "return 'a\\n'\n" }]);
    expect(text.split('\n').slice(1)).toEqual([
      'export const luaScripts = {',
      String.raw`  "any": {"name":"any","numberOfKeys":null,"lua":"return 'a\\n'\n"},`,
      '} as const;',
      '',
    ]);
  });
});
