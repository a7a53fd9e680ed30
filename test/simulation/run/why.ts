import { SAFE_FAULTS } from '../faults/index.js';
import { runSeed } from './run-seed.js';
import { findViolations } from '../checkers/index.js';
const r = await runSeed({ seed: +process.argv[2]!, seconds: 60, faults: SAFE_FAULTS });
const h = r.history;
console.log(r.faults.join(' '), h.times);
for (const v of findViolations(h)) {
  console.log('==', v.check, v.at.toFixed(1), v.what);
  for (const id of v.attempts) {
    const a = h.attempts.find((x) => x.id === id)!;
    console.log(JSON.stringify(a));
    for (const o of [...h.ownerships, ...h.places]) if (o.token.endsWith(':' + id)) console.log('   ', o.token, 'limit' in o, o.from.toFixed(1), o.to.toFixed(1));
    for (const d of h.disturbances) if ((d.client === undefined || d.client === a.client) && d.from > a.askedAt - 6000 && d.from < (a.endedAt ?? 1e9) + 3000) console.log('    ', d.fault, d.client, d.from.toFixed(1), d.until.toFixed(1), d.note);
    for (const l of h.log) if (l.client === a.client && l.at > a.askedAt - 5000 && l.at < (a.endedAt ?? 1e9) + 5000) console.log('      ', l.at.toFixed(1), l.text);
  }
}
