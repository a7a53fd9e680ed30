import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findOnPath } from '../redis/find-server.mjs';
import { unpackOnce } from '../servers/obtain-server.mjs';

/** Which packages the machine has. */
const INSTALLED = '/var/lib/dpkg/status';

/** @returns {string | undefined} why no engine can be started here */
export function whyNoOwnEngine() {
  if (process.platform !== 'linux') return 'the engine of Debian needs Linux';
  if (process.getuid?.() !== 0) return 'only root can start an engine';
  return findOnPath('unshare') === undefined ? 'unshare is not here' : undefined;
}

/**
 * Docker's engine and client: those of the machine, else those of its own suite of Debian, unpacked. Only what the machine has
 * not is unpacked, so that the programs run with its C library.
 *
 * @returns {Promise<NodeJS.ProcessEnv>} the environment in which they are found
 */
export async function engineEnvironment() {
  if (['dockerd', 'docker', 'iptables', 'ip'].every((program) => findOnPath(program))) return {};
  const suite = /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
  const root = await unpackOnce(suite, ['docker.io', 'iproute2', 'iptables'], 'docker', { status: INSTALLED });
  linkIptables(root);
  const libraries = join(root, 'usr/lib');
  const folder = existsSync(libraries) ? readdirSync(libraries).find((name) => name.includes('-linux-gnu')) : undefined;
  const places = ['run', 'usr/bin', 'usr/sbin', 'sbin', 'bin'].map((place) => join(root, place));
  return {
    PATH: [...places, process.env['PATH'], '/usr/sbin', '/sbin'].join(delimiter),
    ...(folder && {
      LD_LIBRARY_PATH: join(libraries, folder),
      XTABLES_LIBDIR: join(libraries, folder, 'xtables'),
    }),
  };
}

/**
 * Which of its two forms iptables has is chosen at installation, which has not happened.
 *
 * @param {string} root
 */
function linkIptables(root) {
  const programs = join(root, 'usr/sbin');
  const links = join(root, 'run');
  if (!existsSync(join(programs, 'iptables-nft')) || existsSync(join(links, 'iptables'))) return;
  mkdirSync(links, { recursive: true });
  for (const name of ['iptables', 'ip6tables']) symlinkSync(join(programs, 'xtables-nft-multi'), join(links, name));
}
