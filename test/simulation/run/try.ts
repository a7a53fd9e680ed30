import { SAFE_FAULTS } from '../faults/index.js';
import { findViolations } from '../checkers/index.js';
import { runSeed } from './run-seed.js';
const { performance: p } = globalThis;
for (let seed = +process.argv[2]!; seed <= +process.argv[3]!; seed++) {
  const t = process.hrtime.bigint();
  const r = await runSeed({ seed, seconds: 60, faults: SAFE_FAULTS });
  const h = r.history;
  const by: Record<string, number> = {};
  for (const a of h.attempts) by[a.outcome ?? 'open'] = (by[a.outcome ?? 'open'] ?? 0) + 1;
  console.log(seed, r.hash, r.faults.length, r.strikes, JSON.stringify(by), 'own', h.ownerships.length, 'over', h.overtakings.length, 'log', h.log.length, h.leftovers.length, Number(process.hrtime.bigint() - t) / 1e6 | 0, 'ms');
  for (const l of h.leftovers.slice(0, 4)) console.log('   ', l);
  const vs = findViolations(h); const n: Record<string, number> = {}; for (const v of vs) n[v.check] = (n[v.check] ?? 0) + 1;
  console.log('   ', JSON.stringify(n)); for (const c of Object.keys(n)) for (const v of vs.filter((x) => x.check === c).slice(0, 2)) console.log('      ', c, v.at.toFixed(1), v.what, v.attempts.join(' '));
  const f = h.attempts.filter((a) => a.outcome === 'failed'); for (const a of f.slice(0,3)) console.log('   ', a.error);
}
