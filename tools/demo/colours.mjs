const wanted = Boolean(process.stdout.isTTY) && !process.env['NO_COLOR'];

/**
 * @param {number} on
 * @param {number} off
 */
const style = (on, off) => (/** @type {string} */ text) =>
  wanted && text !== '' ? `\u001B[${on}m${text}\u001B[${off}m` : text;

export const bold = style(1, 22);
export const dim = style(2, 22);
export const red = style(31, 39);
export const green = style(32, 39);
export const yellow = style(33, 39);
export const cyan = style(36, 39);
