import { expect, it } from '@jest/globals';
import { hottest } from '../../../bench/measure/profile.mjs';

const node = (id: number, functionName: string, url = '') => ({ id, callFrame: { functionName, url, lineNumber: 4 } });

it('a profile gives each function the time that it spent itself, the longest first', () => {
  const nodes = [node(1, '(idle)'), node(2, 'run', 'file:///app/dist/esm/scripts.js'), node(3, 'dispatch')];
  const profile = { nodes, samples: [1, 2, 2, 3, 1], timeDeltas: [100, 300, 300, 9_000, 100] };
  expect(hottest(profile)).toEqual([
    { place: 'run dist/esm/scripts.js:5', share: 0.75 },
    { place: '(idle)', share: 0.25 },
  ]);
});
