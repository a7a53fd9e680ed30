import { describe, expect, it } from '@jest/globals';
import { countViolations, handOffs } from '../../../bench/measure/sections.mjs';

const section = (begin: number, end: number) => ({ begin, end });

describe('countViolations', () => {
  it('finds none where each one begins when the one before has ended', () => {
    expect(countViolations([section(10, 20), section(0, 10), section(25, 30)])).toBe(0);
  });

  it('counts each section that began inside another one', () => {
    expect(countViolations([section(0, 10), section(9, 12), section(11, 20)])).toBe(2);
  });

  it('sees one that lies in the middle of a long one, behind others', () => {
    expect(countViolations([section(0, 100), section(10, 11), section(20, 21)])).toBe(2);
  });

  it('sees one that takes no time', () => {
    expect(countViolations([section(0, 10), section(5, 5)])).toBe(1);
  });

  it('lets so many in as the limit says, and no more', () => {
    const three = [section(0, 10), section(1, 10), section(2, 10)];
    expect(countViolations(three, 3)).toBe(0);
    expect(countViolations(three, 2)).toBe(1);
  });
});

describe('handOffs', () => {
  it('goes from the end of a section to the begin of the next one', () => {
    expect(handOffs([section(14, 20), section(0, 10), section(21, 22)])).toEqual([4, 1]);
  });

  it('of one section there are none', () => {
    expect(handOffs([section(0, 1)])).toEqual([]);
  });
});
