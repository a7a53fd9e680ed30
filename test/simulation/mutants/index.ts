import { cohortMutants } from './cohort-mutants.js';
import { engineMutants } from './engine-mutants.js';
import type { Mutant } from './mutant.js';
import { scriptMutants } from './script-mutants.js';

export const MUTANTS: readonly Mutant[] = [...engineMutants, ...scriptMutants, ...cohortMutants];

/** @throws when there is none of that name */
export function mutantNamed(name: string): Mutant {
  const mutant = MUTANTS.find((other) => other.name === name);
  if (!mutant) throw new Error(`No mutant "${name}"; there are ${MUTANTS.map((other) => other.name).join(', ')}.`);
  return mutant;
}
