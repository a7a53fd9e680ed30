import type { Random } from '../core/random.js';
import type { World } from '../core/world.js';
import type { Fault } from '../faults/fault.js';

/** Lets faults strike at any moment, until the world rests. */
export class Nemesis {
  strikes = 0;
  private readonly pause: number;
  private readonly lots: readonly Fault[];

  constructor(
    private readonly world: World,
    private readonly random: Random,
    faults: readonly Fault[],
  ) {
    this.pause = random.pick([400, 1_000, 3_000]);
    this.lots = faults.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
    if (this.lots.length > 0) this.next();
  }

  private next(): void {
    this.world.scheduler.plan(this.random.exponential(this.pause), 'world', () => {
      if (this.world.resting) return;
      this.strikes++;
      this.random.pick(this.lots).strike(this.world, this.random);
      this.next();
    });
  }
}

/** Some of the faults, so that every seed has its own weather; a rare combination is then not drowned by all others. */
export function drawFaults(random: Random, faults: readonly Fault[]): readonly Fault[] {
  const share = random.pick([0.2, 0.5, 0.9]);
  const drawn = faults.filter(() => random.chance(share));
  return drawn.length > 0 ? drawn : [random.pick(faults)];
}
