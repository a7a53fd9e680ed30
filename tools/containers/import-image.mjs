import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../run-command.mjs';

/** As in the official images: whoever publishes a port of the container is to get in. */
const ENTRY_POINT = `#!/bin/sh
case "$1" in *-server) exec "$@" --protected-mode no ;; esac
exec "$@"
`;

/**
 * Makes an unpacked suite one that a container can run.
 *
 * @param {string} root
 */
export function completeRoot(root) {
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) {
    const inside = existsSync(join(root, 'usr', folder));
    if (inside && !existsSync(join(root, folder))) symlinkSync(`usr/${folder}`, join(root, folder));
  }
  if (!existsSync(join(root, 'bin/sh'))) symlinkSync('dash', join(root, 'usr/bin/sh'));
  for (const folder of ['data', 'tmp']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'entrypoint.sh'), ENTRY_POINT);
  chmodSync(join(root, 'entrypoint.sh'), 0o755);
}

/**
 * Imports a suite as an image, without a registry.
 *
 * @param {{ root: string, name: string, env: NodeJS.ProcessEnv }} image
 */
export async function importImage({ root, name, env }) {
  const settings = ['ENTRYPOINT ["/entrypoint.sh"]', 'WORKDIR /data', 'EXPOSE 6379', 'ENV PATH=/usr/bin:/bin'];
  const changes = settings.flatMap((setting) => ['-c', setting]);
  const script = 'root=$1; shift; tar -C "$root" -c . | docker import "$@"';
  const { ok, output } = await runCommand('sh', ['-c', script, 'import', root, ...changes, '-', name], { env });
  if (!ok) throw new Error(`the image ${name} could not be made: ${output}`);
}
