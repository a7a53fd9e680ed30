import { afterAll, beforeAll } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Paths of a key and of what its authority says of it. */
export interface Certificate {
  key: string;
  cert: string;
}

/** An authority of its own, trusted by nobody who was not told to. */
export class Authority {
  readonly certificate: Certificate;
  private issued = 0;

  constructor(
    private readonly dir: string,
    private readonly name: string,
  ) {
    this.certificate = this.files('ca');
    const { key, cert } = this.certificate;
    this.openssl('req', '-x509', ...NEW_KEY, '-keyout', key, '-out', cert, '-subj', `/CN=${name}`, '-days', '2');
  }

  /** As TLS options of a client take it. */
  get ca(): string {
    return readFileSync(this.certificate.cert, 'utf8');
  }

  /**
   * For a server or a client on this machine.
   *
   * @param known whose key it is for, instead of a new one
   */
  issue(known?: Certificate): Certificate {
    const made = { ...this.files(`${++this.issued}`), ...(known && { key: known.key }) };
    const request = `${made.cert}.csr`;
    const names = `${made.cert}.names`;
    writeFileSync(names, 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
    const pair = known ? ['-new', '-key', made.key] : [...NEW_KEY, '-keyout', made.key];
    this.openssl('req', ...pair, '-out', request, '-subj', '/CN=localhost');
    const { key, cert } = this.certificate;
    const signed = ['-CA', cert, '-CAkey', key, '-CAcreateserial', '-days', '2', '-extfile', names];
    this.openssl('x509', '-req', '-in', request, '-out', made.cert, ...signed);
    return made;
  }

  private files(name: string): Certificate {
    const base = join(this.dir, `${this.name}-${name}`);
    return { key: `${base}.key`, cert: `${base}.pem` };
  }

  private openssl(...args: string[]): void {
    execFileSync('openssl', args, { stdio: 'pipe' });
  }
}

const NEW_KEY = ['-newkey', 'rsa:2048', '-nodes', '-sha256'];

/** What a client presents, as TLS options take it. */
export const readPair = ({ key, cert }: Certificate): { key: string; cert: string } => ({
  key: readFileSync(key, 'utf8'),
  cert: readFileSync(cert, 'utf8'),
});

/** A folder for them that lives as long as the tests of the file. */
export function useCertificates(): { authority(name: string): Authority } {
  let dir = '';
  beforeAll(() => void (dir = mkdtempSync(join(tmpdir(), 'redis-lock-tls-'))));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  return { authority: (name) => new Authority(dir, name) };
}
