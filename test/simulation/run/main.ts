import { parseArgs } from 'node:util';
import { faultNamed, SAFE_FAULTS } from '../faults/index.js';
import { MUTANTS, mutantNamed } from '../mutants/index.js';
import type { Mutant } from '../mutants/mutant.js';
import { runBatch, type Batch } from './batch.js';
import { describeSeed, HEADER, row } from './report.js';
import { traceOf } from './trace.js';

const HELP = `npm run simulate -- [options]
  --seeds n       how many seeds (20)
  --from n        the first of them (1)
  --seed n        only this one
  --seconds n     simulated seconds of work per seed (60)
  --faults a,b    only these faults, all of them in every seed; by default each seed draws some of the safe ones
  --mutant x,y    with this fault built into the library, until it is found; "all" for one after the other
  --trace         prints all that happened (with --seed)
  --json          batches as JSON, one a line`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    faults: { type: 'string' },
    mutant: { type: 'string' },
    trace: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(HELP);
  process.exit();
}

if (!values.json) console.log(HEADER);
const mutants = mutantsNamed(values.mutant);
if (mutants.length === 0) {
  const batch = await run(undefined);
  if (batch.unexpected > 0) process.exitCode = 1;
}
for (const mutant of mutants) {
  const batch = await run(mutant);
  if (batch.unexpected === 0) process.exitCode = 1;
}

async function run(mutant: Mutant | undefined): Promise<Batch> {
  const faults = (values.faults?.split(',') ?? mutant?.faults)?.map(faultNamed);
  const batch = await runBatch({
    from: Number(values.seed ?? values.from),
    seeds: values.seed === undefined ? Number(values.seeds) : 1,
    seconds: Number(values.seconds),
    faults: faults ?? SAFE_FAULTS,
    all: faults !== undefined,
    mutant,
    records: values.trace,
    onSeed: (seed) => {
      if (values.trace) console.log(traceOf(seed.history).join('\n'));
      if (!values.json && seed.unexpected.length > 0)
        console.log(describeSeed(seed, { ...values, mutant: mutant?.name }));
    },
  });
  console.log(values.json ? JSON.stringify(batch) : row(batch));
  return batch;
}

function mutantsNamed(names: string | undefined): readonly Mutant[] {
  return names === 'all' ? MUTANTS : (names?.split(',') ?? []).map(mutantNamed);
}
