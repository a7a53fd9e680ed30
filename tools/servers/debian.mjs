import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOnPath } from '../redis/find-server.mjs';
import { runCommand } from '../run-command.mjs';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const USUAL_MIRROR = 'http://deb.debian.org/debian';
const TIMEOUT = 180_000;

/** @returns {string | undefined} why packages of Debian cannot be unpacked here */
export function whyNoDebian() {
  const missing = ['apt-get', 'dpkg-deb'].find((program) => findOnPath(program) === undefined);
  if (missing !== undefined) return `${missing} is not here`;
  return existsSync(KEYRING) ? undefined : 'this is not Debian (its keyring is missing)';
}

/**
 * Unpacks packages of any suite into a folder, with all that they need, down to the C library. Nothing is installed, nothing of
 * the machine's apt is changed, and no rights are needed.
 *
 * @param {string} suite
 * @param {string[]} packages
 * @param {string} root folder that is not there yet, or is whole
 * @param {{ status?: string }} [options] what counts as installed, by default nothing
 */
export async function unpack(suite, packages, root, { status = '/dev/null' } = {}) {
  if (existsSync(root)) return;
  const work = mkdtempSync(join(tmpdir(), 'debian-packages-'));
  // Beside its place, so that a run that is interrupted leaves no half of it there.
  const made = `${root}.${process.pid}`;
  try {
    const apt = aptOf(work, { suite, uri: await mirror(), status });
    await run('apt-get', [...apt, 'update']);
    await run('apt-get', [...apt, '-y', '-t', suite, '--download-only', 'install', ...packages]);
    const archives = join(work, 'cache/archives');
    mkdirSync(made, { recursive: true });
    for (const file of readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg-deb', ['-x', join(archives, file), made]);
    }
    rmSync(join(made, 'usr/share'), { recursive: true, force: true });
    renameSync(made, root);
  } finally {
    for (const folder of [work, made]) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A world of its own for apt-get.
 *
 * @param {string} work
 * @param {{ suite: string, uri: string, status: string }} from
 * @returns {string[]}
 */
function aptOf(work, { suite, uri, status }) {
  for (const folder of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(work, folder), { recursive: true });
  writeFileSync(join(work, 'sources.list'), `deb [signed-by=${KEYRING}] ${uri} ${suite} main\n`);
  const options = {
    'Dir::Etc::sourcelist': join(work, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Dir::State::lists': join(work, 'lists'),
    'Dir::State::status': status,
    'Dir::Cache': join(work, 'cache'),
    'APT::Sandbox::User': 'root',
    'APT::Install-Recommends': 'false',
    'APT::Update::Error-Mode': 'any',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '20',
    'Debug::NoLocking': 'true',
  };
  return ['-qq', ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
}

/** @returns {Promise<string>} the one that this machine gets its packages from */
async function mirror() {
  const { stdout } = await runCommand('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']);
  const uris = stdout.split('\n').map((line) => line.trim().replace(/\/$/, ''));
  return uris.find((uri) => uri.endsWith('/debian')) ?? USUAL_MIRROR;
}

/**
 * @param {string} file
 * @param {string[]} args
 */
async function run(file, args) {
  const { ok, output } = await runCommand(file, args, { timeout: TIMEOUT });
  const lines = output.split('\n').filter((line) => !line.startsWith('W:'));
  if (!ok)
    throw new Error(lines.find((line) => line.startsWith('E:')) || lines.slice(-3).join(' ') || `${file} failed`);
}
