import { LockKeyError } from '../errors/lock-key.error.js';
import { checkName } from './check-name.js';
import { encodeKeyPart } from './encode-key-part.js';
import { type KeyPlaceholder, parseKeyPlaceholder } from './key-placeholder.js';
import { readPlaceholder } from './read-placeholder.js';
import { RefusedKeyPart } from './refused-key-part.js';

/** A key template, taken apart once and then quick to fill in. */
export class KeyTemplate {
  /** True when a value comes from the object that the method belongs to. */
  readonly usesThis: boolean;

  /**
   * @param text the template as written
   * @param literals what stands around the placeholders, one more than those
   * @param where the decorated method, for messages
   */
  constructor(
    readonly text: string,
    private readonly literals: readonly [string, ...string[]],
    readonly placeholders: readonly KeyPlaceholder[],
    private readonly where: string,
  ) {
    this.usesThis = placeholders.some(({ source }) => source === 'this');
  }

  /** @throws LockKeyError when a value is missing or cannot be part of a key */
  render(args: readonly unknown[], self: unknown): string {
    let name = this.literals[0];
    for (const [index, placeholder] of this.placeholders.entries()) {
      name += this.value(placeholder, args, self);
      name += this.literals[index + 1];
    }
    return name;
  }

  private value(
    placeholder: KeyPlaceholder,
    args: readonly unknown[],
    self: unknown,
  ): string {
    try {
      return encodeKeyPart(readPlaceholder(placeholder, args, self));
    } catch (error) {
      if (!(error instanceof RefusedKeyPart)) throw error;
      throw new LockKeyError(
        `${this.where}: ${placeholder.text} of the key template '${this.text}' is ${error.reason}; ${error.hint}.`,
        error.cause === undefined ? undefined : { cause: error.cause },
      );
    }
  }
}

/**
 * Takes a template apart. `<...>` is a placeholder and `\<` a literal `<`; in front of a `<` a literal backslash is written
 * `\\`, so that every text can be written in exactly one way. Anywhere else a backslash, like `>`, stands for itself.
 *
 * @param where the decorated method, for messages
 * @throws LockKeyError
 */
export function parseKeyTemplate(template: string, where: string): KeyTemplate {
  const literals: [string, ...string[]] = [''];
  const placeholders: KeyPlaceholder[] = [];
  let from = 0;
  for (let open = template.indexOf('<'); open >= 0; ) {
    const before = template.slice(from, open);
    const slashes = /\\*$/.exec(before)?.[0].length ?? 0;
    const half = Math.floor(slashes / 2);
    literals[literals.length - 1] +=
      before.slice(0, before.length - slashes) + '\\'.repeat(half);
    if (slashes % 2 === 1) {
      literals[literals.length - 1] += '<';
      from = open + 1;
    } else {
      const place = `${where}: key template '${template}', position ${open}`;
      from = closing(template, open, place) + 1;
      const body = template.slice(open + 1, from - 1);
      placeholders.push(parseKeyPlaceholder(body, place));
      literals.push('');
    }
    open = template.indexOf('<', from);
  }
  literals[literals.length - 1] += template.slice(from);
  // Encoded values are never blank, so what the literals promise holds for every call.
  checkName(literals.join(placeholders.length > 0 ? '0' : ''), where);
  return new KeyTemplate(template, literals, placeholders, where);
}

function closing(template: string, open: number, place: string): number {
  const close = template.indexOf('>', open);
  if (close >= 0) return close;
  throw new LockKeyError(
    `${place}: the placeholder is not closed; write \\< for a literal <.`,
  );
}
