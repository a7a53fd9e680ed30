import { parseArgs } from 'node:util';
import { faultNamed, SAFE_FAULTS } from '../faults/index.js';
import { mutantNamed } from '../mutants/index.js';
import { runBatch } from './batch.js';
import { describeSeed, HEADER, row } from './report.js';
import { traceOf } from './trace.js';

const HELP = `npm run simulate -- [options]
  --seeds n       how many seeds (20)
  --from n        the first of them (1)
  --seed n        only this one
  --seconds n     simulated seconds of work per seed (60)
  --faults a,b    only these faults, all of them in every seed; by default each seed draws some of the safe ones
  --mutant x      with this fault built into the library
  --until-found   ends at the first seed with a violation
  --trace         prints all that happened (with --seed)
  --json          one line of JSON in place of the table`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    faults: { type: 'string' },
    mutant: { type: 'string' },
    'until-found': { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(HELP);
  process.exit();
}

const mutant = values.mutant === undefined ? undefined : mutantNamed(values.mutant);
const faults = values.faults === undefined ? undefined : values.faults.split(',').map(faultNamed);
const batch = await runBatch({
  from: Number(values.seed ?? values.from),
  seeds: values.seed === undefined ? Number(values.seeds) : 1,
  seconds: Number(values.seconds),
  faults: faults ?? SAFE_FAULTS,
  all: faults !== undefined,
  mutant,
  untilFound: values['until-found'],
  records: values.trace,
  onSeed: (run) => {
    if (values.trace) console.log(traceOf(run.history).join('\n'));
    if (!values.json && run.violations.length > 0) console.log(describeSeed(run, values));
  },
});

if (values.json) {
  console.log(JSON.stringify(batch));
} else {
  console.log(HEADER);
  console.log(row(batch));
}
process.exitCode = batch.unexpected > 0 ? 1 : 0;
