import { describe, expect, it } from '@jest/globals';
import { LockKeyError } from '../../../lib/errors/index.js';
import { parseKeyTemplate } from '../../../lib/keys/key-template.js';
import { errorOf } from '../../helpers/error-of.js';

const WHERE = '@WithLock on OrderService.pay';
const render = (template: string, args: unknown[], self?: unknown) =>
  parseKeyTemplate(template, WHERE).render(args, self);

class Base {
  get tenant() {
    return { id: 't1' };
  }
}

class Dto extends Base {
  name = 'n';
  static readonly shared = 1;
  get id() {
    return 'own-getter';
  }
  method() {
    return 1;
  }
}

describe('a key template', () => {
  it.each<[string, unknown[], string]>([
    ['nightly', [], 'nightly'],
    ['order:<0>', ['7'], 'order:7'],
    ['order:<0>', [7], 'order:7'],
    ['<1>:<0>:<1>', ['a', 'b'], 'b:a:b'],
    ['<10>', Array.from({ length: 11 }, (_, index) => index), '10'],
    ['seat:<0.show.id>', [{ show: { id: 5 } }], 'seat:5'],
    ['seat:<0.shows[1].id>', [{ shows: [{ id: 4 }, { id: 5 }] }], 'seat:5'],
    ['seat:<0[0][1]>', [[['a', 'b']]], 'seat:b'],
    ['x:<0.a-b>:<0.$c>:<0._d>:<0.größe>', [{ 'a-b': 1, $c: 2, _d: 3, größe: 4 }], 'x:1:2:3:4'],
    ['x:<0.length>', [{ length: 5 }], 'x:5'],
    ['x:<0.id>', [new Dto()], 'x:own-getter'],
    ['x:<0.tenant.id>', [new Dto()], 'x:t1'],
    ['x:<0.id>', [Object.assign(Object.create(null) as object, { id: 1 })], 'x:1'],
    ['x:<0.toString>', [{ toString: 'own text' }], 'x:own%20text'],
    ['x:<0.hostname>', [new URL('http://a.b/c')], 'x:a.b'],
  ])('%s of %p is %s', (template, args, name) => {
    expect(render(template, args)).toBe(name);
  });

  it('follows fields of the object that the method belongs to', () => {
    expect(render('<this.tenant.id>:<this.name>:<0>', ['x'], new Dto())).toBe('t1:n:x');
  });

  it('encodes values and nothing else (BC-27)', () => {
    expect(render('a:<0> {b}', ['c:d e'])).toBe('a:c%3Ad%20e {b}');
    expect(render('<0>:<1>', ['a:b', 'c'])).not.toBe(render('<0>:<1>', ['a', 'b:c']));
  });

  it.each<[string, string]>([
    ['a > b', 'a > b'],
    ['\\<0>', '<0>'],
    ['\\\\\\<0>', '\\<0>'],
    ['\\\\<0>', '\\v'],
    ['\\\\\\\\<0>\\', '\\\\v\\'],
    ['a\\b\\\\c', 'a\\b\\\\c'],
    ['\\<\\<<0>>', '<<v>'],
    ['\\<a<0>', '<av'],
  ])('reads %s as %s', (template, name) => {
    expect(render(template, ['v'])).toBe(name);
  });

  it('says what it needs', () => {
    const template = parseKeyTemplate('<0.a[1]>:<this.b>', WHERE);
    expect(template.usesThis).toBe(true);
    expect(template.placeholders).toEqual([
      { text: '<0.a[1]>', source: 0, path: ['a', 1] },
      { text: '<this.b>', source: 'this', path: ['b'] },
    ]);
    expect(parseKeyTemplate('<0>', WHERE).usesThis).toBe(false);
  });
});

describe('what stands between two values (BC-27)', () => {
  const render = (separator: string, values: string[]): string =>
    parseKeyTemplate(`<0>${separator}<1>`, 'test').render(values, undefined);

  it.each([':', '-:', ':-', '::', '~', ' ', '}:{', '%:', '\\<', '>'])('keeps all pairs apart with %j', (separator) => {
    const parts = ['a', '25', '3A', '%', ':', '-', '~', '}'];
    const texts = [...parts, ...parts.flatMap((a) => parts.map((b) => a + b))];
    const keys = texts.flatMap((first) => texts.map((second) => render(separator, [first, second])));
    expect(new Set(keys).size).toBe(texts.length ** 2);
  });

  it.each(['', '-', '/', '%', 'and'])('is refused when it is %j, since values may contain it', (separator) => {
    expect(() => render(separator, ['a', 'b'])).toThrow(/put a colon between <0> and <1>/);
    expect(() => parseKeyTemplate(`<0>:<1>${separator}<this.id>`, 'test')).toThrow(/between <1> and <this.id>/);
  });
});

describe('a malformed key template', () => {
  it.each<[string, string, string]>([
    ['a:<0', 'position 2', 'not closed'],
    ['a:<0>:<1', 'position 6', 'not closed'],
    ['\\\\<', 'position 2', 'not closed'],
    ['a:<>', 'position 2', 'such as <0>'],
    ['<-1>', 'position 0', 'counted from 0'],
    ['<1.5>', 'position 0', 'the forms are'],
    ['<01>', 'position 0', 'the forms are'],
    ['< 0>', 'position 0', 'white space'],
    ['<0 >', 'position 0', 'white space'],
    ['<0.>', 'position 0', 'the forms are'],
    ['<0..a>', 'position 0', 'the forms are'],
    ['<0.a.>', 'position 0', 'the forms are'],
    ['<0.1>', 'position 0', 'the forms are'],
    ['<0[]>', 'position 0', 'the forms are'],
    ['<0[a]>', 'position 0', 'the forms are'],
    ['<0[-1]>', 'position 0', 'the forms are'],
    ['<0[1>', 'position 0', 'the forms are'],
    ['<0]>', 'position 0', 'the forms are'],
    ['<0<1>', 'position 0', 'the forms are'],
    ['<0.#secret>', 'position 0', 'the forms are'],
    ['<this>', 'position 0', 'name a field'],
    ['<thisx.a>', 'position 0', 'count them from 0: <0.a>'],
    ['<0.__proto__>', 'position 0', "'__proto__' is no field"],
    ['<0.constructor>', 'position 0', "'constructor' is no field"],
    ['<0.a.prototype.b>', 'position 0', "'prototype' is no field"],
    ['<this.constructor>', 'position 0', "'constructor' is no field"],
  ])('%s is refused with position and cure (BC-25)', (template, position, cure) => {
    const error = errorOf(() => parseKeyTemplate(template, WHERE));
    expect(error).toBeInstanceOf(LockKeyError);
    expect(error.message).toContain(`${WHERE}: key template '${template}', ${position}: `);
    expect(error.message).toContain(cure);
  });

  it('refuses names of parameters and shows the index instead (BC-68)', () => {
    expect(() => parseKeyTemplate('u:<user.id>', WHERE)).toThrow('count them from 0: <0.id>.');
    expect(() => parseKeyTemplate('u:<id>', WHERE)).toThrow('count them from 0: <0>.');
  });

  it.each(['', ' ', '\t\n\u00a0'])('refuses %j, which names nothing', (template) => {
    expect(() => parseKeyTemplate(template, WHERE)).toThrow(LockKeyError);
  });

  it('refuses half of a surrogate pair', () => {
    expect(() => parseKeyTemplate('\ud800:<0>', WHERE)).toThrow(LockKeyError);
  });
});

describe('a key template with a value missing', () => {
  it('refuses an undefined argument instead of locking "order:undefined" (BC-25)', () => {
    const error = errorOf(() => render('order:<0>', [undefined]));
    expect(error).toBeInstanceOf(LockKeyError);
    expect(error).toMatchObject({ code: 'LOCK_KEY', statusCode: 500 });
    expect(error.message).toBe(
      `${WHERE}: <0> of the key template 'order:<0>' is undefined; every call without this value would share one lock.`,
    );
  });

  it.each<[string, unknown[], string]>([
    ['<0>', [], "<0> of the key template '<0>' is undefined, as the call has 0 arguments"],
    ['<5>', ['x'], 'as the call has 1 argument;'],
    ['<0>', [null], 'is null'],
    ['<0>', [''], 'is an empty string'],
    ['<0>', [NaN], 'is NaN'],
    ['<0>', [{}], 'is an object without text of its own'],
    ['<0.user.id>', [{}], "<0.user.id> of the key template '<0.user.id>' is missing, as <0> has no 'user'"],
    ['<0.user.id>', [{ user: undefined }], 'missing, as <0.user> is undefined'],
    ['<0.user.id>', [{ user: null }], 'missing, as <0.user> is null'],
    ['<0.user.id>', [{ user: { id: undefined } }], "<0.user.id>' is undefined"],
    ['<0.user.id>', [{ user: 'text' }], 'missing, as <0.user> is a string, without fields'],
    ['<0.a[2].b>', [{ a: [1, 2] }], "missing, as <0.a> has no '2'"],
    ['<this.id>', [], 'missing, as <this> is undefined'],
  ])('%s of %p is refused: %s (BC-25)', (template, args, reason) => {
    const error = errorOf(() => render(template, args));
    expect(error).toBeInstanceOf(LockKeyError);
    expect(error.message).toContain(reason);
  });

  it.each<[string, unknown]>([
    ['<0.length>', 'text'],
    ['<0.length>', ['a']],
    ['<0.length>', Buffer.from('a')],
    ['<0[0]>', 'text'],
    ['<0.map>', []],
    ['<0.at>', []],
    ['<0.toString>', {}],
    ['<0.hasOwnProperty>', new Dto()],
    ['<0.name>', function named() {}],
    ['<0.shared>', Dto],
    ['<0.method>', new Dto()],
    ['<0.id>', 7],
    ['<0.size>', {}],
  ])('%s follows nothing that is not a field (BC-25)', (template, value) => {
    expect(() => render(template, [value])).toThrow(LockKeyError);
  });

  it('names a field whose getter throws, with what it threw', () => {
    const cause = new Error('lazy');
    const value = {
      get id() {
        throw cause;
      },
    };
    const error = errorOf(() => render('<0.id>', [value]));
    expect(error.message).toContain("<0> throws when 'id' is read");
    expect(error.cause).toBe(cause);
  });
});
