import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { transformSync, type TransformConfig } from '@swc/core';
import { runInThisContext } from 'node:vm';
import ts from 'typescript';
import { FairLock, InjectLockService, Semaphore, WithLock } from '../../lib/decorators/index.js';
import { LockOptionsError } from '../../lib/errors/index.js';
import { bindLockService } from '../../lib/testing/index.js';
import { fakeLocks } from '../helpers/fake-service.js';
import { errorOf } from '../helpers/error-of.js';

type Compiler = (source: string) => string;

const typescript: Compiler = (source) =>
  ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2022 } }).outputText;

const swc =
  (transform: TransformConfig): Compiler =>
  (source) =>
    transformSync(source, {
      swcrc: false,
      isModule: false,
      jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true }, transform },
    }).code;

const standard: [string, Compiler][] = [
  ['TypeScript', typescript],
  ['SWC', swc({ decoratorVersion: '2022-03' })],
];

/** The class `Orders` with these members, as a compiler makes it. */
function compile(compiler: Compiler, members: string): new () => Record<string, () => unknown> {
  const library = { FairLock, InjectLockService, Semaphore, WithLock, Reflect };
  const code = compiler(`class Orders { ${members} }`);
  const make = runInThisContext(`(${Object.keys(library).join()}) => { ${code}\nreturn Orders; }`) as (
    ...values: unknown[]
  ) => ReturnType<typeof compile>;
  return make(...Object.values(library));
}

const members = [
  "@WithLock('order') async pay() {}",
  "@FairLock('order') async pay() {}",
  "@Semaphore(3, 'order') async pay() {}",
  '@Semaphore(3) async *pay() {}',
  '@InjectLockService() locks;',
  "@InjectLockService('second') locks;",
];

describe('Decorators where the compiler makes standard ones of them', () => {
  const cases = standard.flatMap(([name, compiler]) =>
    members.map((member) => ({ name, member, compiler, decorator: /@\w+/.exec(member)?.[0] ?? '' })),
  );

  it.each(cases)(
    'name the compiler options that they need (BC-79): $name, $member',
    ({ compiler, member, decorator }) => {
      const error = errorOf(() => compile(compiler, member));
      expect(error).toBeInstanceOf(LockOptionsError);
      for (const part of [decorator, 'experimentalDecorators', 'emitDecoratorMetadata', 'legacyDecorator']) {
        expect(error.message).toContain(part);
      }
    },
  );
});

describe('Decorators where the compiler leaves no types behind, as esbuild does', () => {
  const compiler = swc({ legacyDecorator: true, decoratorMetadata: false });

  it('lock async methods and generators all the same (BC-79)', async () => {
    const Orders = compile(
      compiler,
      "@WithLock('a') async pay() { return 5; } @WithLock('b') async *all() { yield 7; }",
    );
    const { locks, engine } = fakeLocks();
    const orders = bindLockService(new Orders(), locks);
    expect(await orders['pay']?.()).toBe(5);
    const all: unknown[] = [];
    for await (const one of orders['all']?.() as AsyncIterable<unknown>) all.push(one);
    expect(all).toEqual([7]);
    expect(engine.requests.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it.each(['pay(): Promise<void> { return Promise.resolve(); }', 'pay(): Observable<string> { return NEVER; }'])(
    'say on any other method what to do, and which option would help (BC-79): %s',
    (method) => {
      const error = errorOf(() => compile(compiler, `@WithLock('a') ${method}`));
      expect(error).toBeInstanceOf(LockOptionsError);
      expect(error.message).toMatch(/@WithLock on Orders\.pay: make the method async\..*emitDecoratorMetadata/);
    },
  );

  it('take the types where the compiler leaves them', () => {
    const full = swc({ legacyDecorator: true, decoratorMetadata: true });
    const Orders = compile(full, "@WithLock('a') pay(): Promise<void> { return Promise.resolve(); }");
    expect(new Orders()).toHaveProperty('pay');
  });
});
