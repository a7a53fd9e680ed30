import { formatDouble, formatInteger } from './format-number.js';
import { Double, ErrorReply, NO_REPLY, Pairs, Status, Verbatim, type Reply } from './reply.js';

export type Protocol = 2 | 3;

/** @returns the bytes as latin1 text */
export function encodeReply(reply: Reply, protocol: Protocol): string {
  if (typeof reply === 'string') return bulk(reply);
  if (typeof reply === 'number' || typeof reply === 'bigint') return `:${formatInteger(reply)}\r\n`;
  if (reply === null) return protocol === 3 ? '_\r\n' : '$-1\r\n';
  if (reply === NO_REPLY) return '';
  if (reply instanceof Status) return `+${reply.text}\r\n`;
  if (reply instanceof ErrorReply) return `-${reply.message.replace(/[\r\n]/g, ' ')}\r\n`;
  if (reply instanceof Double) {
    const text = formatDouble(reply.value);
    return protocol === 3 ? `,${text}\r\n` : bulk(text);
  }
  if (reply instanceof Verbatim) {
    return protocol === 3 ? `=${reply.text.length + 4}\r\ntxt:${reply.text}\r\n` : bulk(reply.text);
  }
  if (reply instanceof Pairs) {
    const head = protocol === 3 ? `%${reply.entries.length}` : `*${reply.entries.length * 2}`;
    return many(head, reply.flat(), protocol);
  }
  return many(`*${reply.length}`, reply, protocol);
}

/** A message out of turn, such as one of a channel. */
export function encodePush(items: readonly Reply[], protocol: Protocol): string {
  return many(`${protocol === 3 ? '>' : '*'}${items.length}`, items, protocol);
}

function bulk(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}

function many(head: string, items: readonly Reply[], protocol: Protocol): string {
  let text = `${head}\r\n`;
  for (const item of items) text += encodeReply(item, protocol);
  return text;
}
