// Prints the name of a Redis image that this machine's Docker can run, or
// fails. Started by provide-redis.mjs, which ends it when it takes too long.
import { obtainImage } from './docker-image.mjs';
import { startContainer } from './start-container.mjs';

try {
  const image = await obtainImage();
  const server = await startContainer({ kind: 'container', image }, {});
  await server.stop();
  console.log(image);
  process.exit(0);
} catch (error) {
  console.error(String(error));
  process.exit(1);
}
