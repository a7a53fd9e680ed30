/**
 * No lock at all: as many callers as there are permits have as many sections as there can be.
 *
 * @returns {Promise<import('./types.mjs').Connected>}
 */
export async function connect() {
  return {
    withLock: async (_key, task) => task(),
    withPermit: async (_key, _limit, task) => task(),
    close: async () => undefined,
  };
}
