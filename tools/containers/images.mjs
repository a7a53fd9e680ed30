/**
 * @typedef {object} Image
 * @property {'redis' | 'valkey'} product
 * @property {string} name
 */

/** Tells the tests which images there are. */
export const IMAGES_VARIABLE = 'REDIS_LOCK_CONTAINER_IMAGES';

/**
 * @param {readonly Image[]} images
 * @returns {string} as the variable holds them
 */
export const writeImages = (images) => JSON.stringify(images);

/** @returns {Image[]} */
export function readImages() {
  return JSON.parse(process.env[IMAGES_VARIABLE] || '[]');
}
