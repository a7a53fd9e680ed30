const CR_LF = '\r\n';

/** What arrives is no command, and where the next one begins is unknown. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** Cuts what arrives into commands: arrays of bulk strings, or lines of words. */
export class RequestParser {
  private rest: Buffer = Buffer.alloc(0);

  /**
   * @returns the commands that are complete now, each as latin1 texts
   * @throws ProtocolError
   */
  *feed(chunk: Uint8Array): Generator<string[]> {
    const arrived = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.rest = this.rest.length === 0 ? arrived : Buffer.concat([this.rest, arrived]);
    for (let next = this.next(); next; next = this.next()) {
      this.rest = this.rest.subarray(next.end);
      if (next.words.length > 0) yield next.words;
    }
  }

  private next(): { words: string[]; end: number } | undefined {
    const first = this.line(0);
    if (!first) return undefined;
    if (!first.text.startsWith('*')) return { words: first.text.split(/\s+/).filter(Boolean), end: first.end };
    const words: string[] = [];
    let { end } = first;
    for (let left = lengthIn(first.text, 'multibulk'); left > 0; left--) {
      const head = this.line(end);
      if (!head) return undefined;
      if (!head.text.startsWith('$')) throw new ProtocolError(`expected '$', got '${head.text.charAt(0)}'`);
      const length = lengthIn(head.text, 'bulk');
      end = head.end + length + CR_LF.length;
      if (end > this.rest.length) return undefined;
      words.push(this.rest.toString('latin1', head.end, head.end + length));
    }
    return { words, end };
  }

  private line(from: number): { text: string; end: number } | undefined {
    const at = this.rest.indexOf(CR_LF, from, 'latin1');
    return at < 0 ? undefined : { text: this.rest.toString('latin1', from, at), end: at + CR_LF.length };
  }
}

function lengthIn(line: string, what: string): number {
  const text = line.slice(1);
  if (!/^\d{1,9}$/.test(text)) throw new ProtocolError(`invalid ${what} length`);
  return Number(text);
}
