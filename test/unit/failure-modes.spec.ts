import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const DOCUMENT = 'docs/failure-modes.md';
const ID = /BC-\d{2}/g;
/** Text between quotes of one kind, on one line. */
const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`/g;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const idsIn = (text: string) => [...text.matchAll(ID)].map(([id]) => id);

/** Checks outside of Jest, which have their titles in a list. */
const PACKAGE_CHECKS = join('test', 'package', 'consumers.mjs');

/** Titles that name a case, by spec file. */
function titlesInTests(): Map<string, string[]> {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true })
    .map((file) => join('test', String(file)))
    .filter((file) => file.endsWith('.spec.ts') || file === PACKAGE_CHECKS);
  const titled = files.map((file): [string, string[]] => {
    const titles = [...read(file).matchAll(TEXT)].map(([text]) => text.slice(1, -1).replace(/\\(.)/g, '$1'));
    return [file, titles.filter((title) => idsIn(title).length > 0)];
  });
  return new Map(titled.filter(([, titles]) => titles.length > 0));
}

interface Entry {
  id: string;
  tests: { file: string; title: string }[];
}

/** The cases of the document: `- **BC-nn** sentence`, and below it a line `` `file`: title `` for every test. */
function entries(): Entry[] {
  const [, ...cases] = read(DOCUMENT).split(/^- \*\*(?=BC-\d{2}\*\*)/m);
  return cases.map((text) => {
    const tests = [...text.matchAll(/^ {2}- `([^`]+)`: (.+)$/gm)];
    return {
      id: text.slice(0, 5),
      tests: tests.map(([, file = '', title = '']) => ({ file, title })),
    };
  });
}

describe(DOCUMENT, () => {
  const documented = entries();
  const titles = titlesInTests();

  it('lists every case once, each with a test', () => {
    const ids = documented.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual([...new Set(ids)]);
    expect(documented.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  it.each(documented)('$id: the tests that it points to are there', (entry) => {
    const names = ({ file, title }: Entry['tests'][number]) =>
      titles.get(file)?.some((text) => text.includes(title) && idsIn(text).includes(entry.id));
    expect(entry.tests.filter((test) => !names(test))).toEqual([]);
  });

  it('knows every case that a test names', () => {
    const known = documented.map(({ id }) => id);
    const named = [...titles].flatMap(([file, texts]) => texts.flatMap(idsIn).map((id) => ({ file, id })));
    expect(named.filter(({ id }) => !known.includes(id))).toEqual([]);
  });
});
