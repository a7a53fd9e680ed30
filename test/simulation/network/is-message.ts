const HEADS = [
  '*3\r\n$7\r\nmessage\r\n',
  '>3\r\n$7\r\nmessage\r\n',
  '*3\r\n$8\r\nsmessage\r\n',
  '>3\r\n$8\r\nsmessage\r\n',
];

/** True for bytes that are one pushed message and nothing else. */
export function isMessage(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const head = HEADS.find((start) => text.startsWith(start));
  if (head === undefined) return false;
  let at = head.length;
  for (let part = 0; part < 2; part++) {
    const end = text.indexOf('\r\n', at);
    at = end + 2 + Number(text.slice(at + 1, end)) + 2;
  }
  return at === text.length;
}
