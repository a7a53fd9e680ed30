// Prints the images that the machine's own engine can run, or says on standard error why there is none. A process of its own,
// since an engine or a registry may never answer.
import { obtainImage } from '../redis/docker-image.mjs';
import { startContainer } from '../redis/start-container.mjs';
import { writeImages } from './images.mjs';

/** @import { Image } from './images.mjs' */

const VALKEY_IMAGES = ['valkey/valkey:8-alpine', 'valkey/valkey:8'];

try {
  const redis = await obtainImage();
  const server = await startContainer({ kind: 'container', image: redis }, {});
  await server.stop();
  /** @type {Image[]} */
  const images = [{ product: 'redis', name: redis }];
  const valkey = await obtainImage(VALKEY_IMAGES).catch(() => undefined);
  if (valkey !== undefined && valkey !== redis) images.push({ product: 'valkey', name: valkey });
  console.log(writeImages(images));
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
