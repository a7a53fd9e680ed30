/** @import { Fact, Figures, Result, Row } from '../measure/types.mjs' */

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {(row: Row, rows: readonly Row[]) => string} cell
 */

/**
 * @param {number | undefined} value
 * @param {string} [unit]
 */
export function short(value, unit = '') {
  if (value === undefined || !Number.isFinite(value)) return '-';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return `${Number(value.toFixed(digits)).toLocaleString('en')}${unit && ` ${unit}`}`;
}

/** The rate that raw commands reach; the faster one where there are two ways. @param {readonly Row[]} rows */
export function limitOf(rows) {
  const raw = rows.filter(({ contender }) => contender.kind === 'raw' && contender.file === 'raw');
  return raw.length === 0 ? NaN : Math.max(...raw.map(({ figures }) => figures?.rate ?? NaN));
}

/** Of those that kept exclusion. @param {readonly Row[]} rows */
export function bestPeerOf(rows) {
  const peers = rows.filter(({ contender, figures }) => contender.kind === 'peer' && figures?.violations === 0);
  return peers.reduce(
    (best, { figures, title }) => (figures && figures.rate > best.rate ? { rate: figures.rate, title } : best),
    { rate: 0, title: '' },
  );
}

/** @param {string} name @param {(figures: Figures) => string} show @returns {Column} */
const figure = (name, show) => ({ name, cell: ({ figures }) => (figures ? show(figures) : '') });

/** @type {readonly Column[]} */
const COLUMNS = [
  { name: 'contender', cell: ({ title }) => title },
  figure('op/s', ({ rate }) => short(rate)),
  {
    name: '/ limit',
    cell: ({ contender, figures }, rows) =>
      contender.file === 'ping' ? '-' : short((figures?.rate ?? NaN) / limitOf(rows)),
  },
  {
    name: '/ best peer',
    cell: ({ contender, figures }, rows) =>
      contender.kind === 'raw' ? '-' : short((figures?.rate ?? NaN) / bestPeerOf(rows).rate),
  },
  figure('hand-off p50 ms', ({ handOff50 }) => short(handOff50)),
  figure('p99 ms', ({ handOff99 }) => short(handOff99)),
  figure('commands/op', ({ commands }) => short(commands)),
  figure('bytes/op', ({ bytes }) => short(bytes)),
  figure('client us/op', ({ clientCpu }) => short(clientCpu)),
  figure('server us/op', ({ serverCpu }) => short(serverCpu)),
  figure('Jain', ({ jain }) => (Number.isFinite(jain) ? jain.toFixed(3) : '-')),
  figure('longest wait ms', ({ longestWait }) => short(longestWait)),
  figure('failed', ({ failures }) => `${failures}`),
  figure('overlaps', ({ violations }) => `${violations}`),
];

/**
 * @param {Result} result
 * @param {boolean} markdown
 */
export function showResult({ id, title, rows, facts }, markdown) {
  const lines = [`${markdown ? '### ' : '\n== '}${title} (${id})`, ''];
  if (rows.length > 0) {
    const working = rows.filter(({ figures }) => figures !== undefined);
    const cells = working.map((row) => COLUMNS.map(({ cell }) => cell(row, rows)));
    lines.push(...table([COLUMNS.map(({ name }) => name), ...cells], markdown), '');
  }
  lines.push(...rows.flatMap(remarks).map((text) => `${markdown ? '- ' : '  '}${text}`));
  if (facts.length > 0) lines.push(...table(factCells(facts), markdown), '');
  return lines.join('\n').trimEnd();
}

/** @param {readonly Fact[]} facts */
const factCells = (facts) => [['figure', 'value'], ...facts.map(({ text, value, unit }) => [text, short(value, unit)])];

/** @param {Row} row */
function remarks({ title, figures, broken }) {
  if (broken !== undefined) return [`${title} did not run: ${firstLine(broken)}`];
  return figures?.failure === undefined
    ? []
    : [`${title} failed ${figures.failures} times, first: ${firstLine(figures.failure)}`];
}

/** @param {string} text */
const firstLine = (text) => text.split('\n', 1)[0]?.slice(0, 160) ?? '';

/**
 * @param {readonly (readonly string[])[]} lines the first one holds the names
 * @param {boolean} markdown
 */
export function table([names = [], ...lines], markdown) {
  if (markdown) {
    const rule = names.map((_, i) => (i === 0 ? '---' : '--:'));
    return [names, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`);
  }
  const widths = names.map((name, i) => Math.max(name.length, ...lines.map((cells) => cells[i]?.length ?? 0)));
  const pad = (/** @type {string} */ cell, /** @type {number} */ i) =>
    i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0);
  return [names, ...lines].map((cells) => `  ${cells.map(pad).join('  ')}`.trimEnd());
}
