/** Something that is renewed on behalf of an object that a caller holds. */
export interface Forgettable {
  forget(): void;
}

/** Ends what stands behind an object that everybody has dropped. What is registered must not refer to the object itself. */
export const forgotten = new FinalizationRegistry<Forgettable>((behind) => behind.forget());
