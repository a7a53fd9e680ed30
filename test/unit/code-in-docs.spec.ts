import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Lines without the indentation that they share. */
function dedent(text: string): string {
  const lines = text.split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  return lines.map((line) => line.slice(Math.min(...indents))).join('\n');
}

/** Whether a file has these lines, one after the other, at whatever depth. */
function holds(file: string, code: string): boolean {
  const lines = file.split('\n');
  const { length } = code.split('\n');
  return lines.some((_, i) => dedent(lines.slice(i, i + length).join('\n')) === code);
}

describe.each(['docs/recipes.md', 'docs/nest.md', 'docs/testing.md'])('%s', (document) => {
  const text = read(document);
  const blocks = [...text.matchAll(/^<!-- (\S+) -->\n\n```ts\n([\s\S]*?)\n```$/gm)].map(([, file = '', code = '']) => ({
    file,
    code,
  }));

  it('names a file for every block of code', () => {
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks).toHaveLength([...text.matchAll(/^```\w/gm)].length);
  });

  it.each(blocks)('shows what is in $file', ({ file, code }) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
    expect(holds(read(file), code)).toBe(true);
  });
});

describe('docs/recipes.md', () => {
  it('names a test for every recipe', () => {
    const [, ...recipes] = read('docs/recipes.md').split(/^## /m);
    for (const recipe of recipes) {
      const [, file = ''] = /^Tested in `([^`]+)`/m.exec(recipe) ?? [];
      expect([recipe.split('\n')[0], existsSync(join(ROOT, file)) && file.endsWith('.spec.ts')]).toContain(true);
    }
  });
});
