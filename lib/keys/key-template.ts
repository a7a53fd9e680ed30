import { LockKeyError } from '../errors/lock-key.error.js';
import { checkName } from './check-name.js';
import { encodeKeyPart, separatesValues } from './encode-key-part.js';
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
    private readonly literals: readonly string[],
    readonly placeholders: readonly KeyPlaceholder[],
    private readonly where: string,
  ) {
    this.usesThis = placeholders.some(({ source }) => source === 'this');
  }

  /** @throws LockKeyError when a value is missing or cannot be part of a key */
  render(args: readonly unknown[], self: unknown): string {
    const { literals, placeholders } = this;
    let name = literals[0] ?? '';
    for (let index = 0; index < placeholders.length; index++) {
      name += this.value(placeholders[index] as KeyPlaceholder, args, self) + literals[index + 1];
    }
    return name;
  }

  private value(placeholder: KeyPlaceholder, args: readonly unknown[], self: unknown): string {
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

/** Backslashes in pairs, then a literal `<`, or the beginning of a placeholder with its end if it has one. */
const MARK = /((?:\\\\)*)(?:\\<|<([^>]*)(>?))/g;

/**
 * Takes a template apart. `<...>` is a placeholder and `\<` a literal `<`; in front of a `<` a literal backslash is written
 * `\\`, so that every text can be written in exactly one way. Anywhere else a backslash, like `>`, stands for itself.
 *
 * @param where the decorated method, for messages
 * @throws LockKeyError
 */
export function parseKeyTemplate(template: string, where: string): KeyTemplate {
  const literals: string[] = [];
  const placeholders: KeyPlaceholder[] = [];
  let literal = '';
  let from = 0;
  for (const mark of template.matchAll(MARK)) {
    const [found, slashes = '', body, end] = mark;
    literal += template.slice(from, mark.index) + slashes.slice(slashes.length / 2);
    from = mark.index + found.length;
    if (body === undefined) {
      literal += '<';
      continue;
    }
    const place = `${where}: key template '${template}', position ${mark.index + slashes.length}`;
    if (end === '') throw new LockKeyError(`${place}: the placeholder is not closed; a literal < is written \\<.`);
    placeholders.push(parseKeyPlaceholder(body, place));
    literals.push(literal);
    literal = '';
  }
  literals.push(literal + template.slice(from));
  // Values are never empty or blank, so only a template without any can name nothing.
  checkName(literals.join('<>'), where);
  const meeting = placeholders.findIndex((_, index) => index > 0 && !separatesValues(literals[index] as string));
  if (meeting > 0) {
    const [before, after] = [placeholders[meeting - 1]?.text, placeholders[meeting]?.text];
    throw new LockKeyError(
      `${where}: key template '${template}': put a colon between ${before} and ${after}, or different values could make the same key.`,
    );
  }
  return new KeyTemplate(template, literals, placeholders, where);
}
