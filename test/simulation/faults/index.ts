import { clientFaults } from './client-faults.js';
import type { Fault } from './fault.js';
import { networkFaults } from './network-faults.js';
import { serverFaults } from './server-faults.js';

export const FAULTS: readonly Fault[] = [...networkFaults, ...clientFaults, ...serverFaults];

export const SAFE_FAULTS: readonly Fault[] = FAULTS.filter(({ group }) => group === 'safe');

/** @throws when there is none of that name */
export function faultNamed(name: string): Fault {
  const fault = FAULTS.find((other) => other.name === name);
  if (!fault) throw new Error(`No fault "${name}"; there are ${FAULTS.map((other) => other.name).join(', ')}.`);
  return fault;
}
