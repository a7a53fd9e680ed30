/**
 * Says why a value cannot be a part of a key. Never leaves this folder: whoever builds the key knows the method and the
 * place, and turns it into a `LockKeyError`. The value itself is not named, since keys may be secrets.
 */
export class RefusedKeyPart extends Error {
  constructor(
    /** Completes "the part is ...". */
    readonly reason: string,
    /** What to do about it. */
    readonly hint: string,
    options?: ErrorOptions,
  ) {
    super(`${reason}; ${hint}`, options);
    this.name = RefusedKeyPart.name;
  }
}

/** A missing part must never be text: `order:undefined` would be one lock for everybody. */
export const SHARED_BY_ALL = 'every call without this value would share one lock';
