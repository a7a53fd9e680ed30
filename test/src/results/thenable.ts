/** Not a promise, and does nothing before it is asked: what query builders give. */
export class LazyWork<T> implements PromiseLike<T> {
  private result: Promise<T> | undefined;

  constructor(private readonly work: () => Promise<T>) {}

  then<A = T, B = never>(
    accept?: ((value: T) => A | PromiseLike<A>) | null,
    refuse?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.result ??= this.work();
    return this.result.then(accept, refuse);
  }
}
