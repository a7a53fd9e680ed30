/** Whether a promise is settled, asked without waiting for it. A rejection stays with the promise. */
export function watch(promise: Promise<unknown>): () => boolean {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  return () => settled;
}
