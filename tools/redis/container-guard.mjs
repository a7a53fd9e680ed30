// Removes one container when standard input ends, that is, when the process
// that started the container is gone.
import { once } from 'node:events';

const [id = ''] = process.argv.slice(2);
process.stdin.resume();
await once(process.stdin, 'end');
const { getContainerRuntimeClient } = await import('testcontainers');
const { container } = await getContainerRuntimeClient();
await container.getById(id).remove({ force: true, v: true });
