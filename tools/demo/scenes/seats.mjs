import { setTimeout } from 'node:timers/promises';
import { arrivals } from '../timeline.mjs';
import { arrivalOrderKept, fencesRise, oneAtATime, sectionsOf } from '../verdicts.mjs';
import { waitFor } from '../wait.mjs';

/** @import { Answer } from '../sample-process.mjs' */
/** @import { Scene } from './scene.mjs' */

const SHOW = 'hamlet';
const SECTION = `seat:${SHOW}`;
/** Which process each guest turns to: none is served in the order of processes by chance. */
const PROCESSES = [0, 1, 2, 1, 0, 2, 2, 0, 1, 1, 2, 0];
const FIRST_TAKES = 250;
const SPACING = 10;

/** @param {Scene} scene */
export async function seats(scene) {
  const { fleet, journals, report } = scene;
  const guests = PROCESSES.length;
  report.chapter(`@FairLock('seat:<0.showId>'): ${guests} guests, one after the other, at three processes`);
  report.legend('A number or letter: the guest who enters, in the order of arrival; × more than one inside');
  await reserveInTurn(scene);
  const sections = sectionsOf(journals.read(), SECTION);
  report.timeline(sections, fleet.pids, { mark: arrivals });
  report.check('arrival order is kept', arrivalOrderKept(sections, guests));
  report.check('fences follow that order', fencesRise(sections));
  report.check('one reservation at a time', oneAtATime(sections, guests));
  const { body: tickets } = await fleet.at(0).get(`/shows/${SHOW}/seats`);
  report.check('no seat is sold twice', soldOnce(tickets, guests));
}

/**
 * The first guest keeps the lock for a while; each of the others is sent off when the one before has its place.
 *
 * @param {Scene} scene
 */
async function reserveInTurn({ fleet, journals }) {
  /** @type {Promise<Answer>[]} */
  const answers = [];
  for (const [index, process] of PROCESSES.entries()) {
    const arrival = index + 1;
    const takes = arrival === 1 ? FIRST_TAKES : 20;
    const body = { guest: `guest ${arrival}`, takes };
    answers.push(fleet.at(process).post(`/shows/${SHOW}/seats`, body, { arrival }));
    await waitFor(`a place for guest ${arrival}`, async () => {
      const { body: lock } = await fleet.at(0).get(`/locks/${SECTION}`);
      const entered = sectionsOf(journals.read(), SECTION).length;
      return entered + (lock.waiters?.length ?? 0) >= arrival;
    });
    await setTimeout(SPACING);
  }
  await Promise.all(answers);
}

/**
 * @param {{ seat: number }[]} tickets
 * @param {number} guests
 */
function soldOnce(tickets, guests) {
  const seats = new Set(tickets.map(({ seat }) => seat)).size;
  return {
    ok: seats === guests && tickets.length === guests,
    figures: `${tickets.length} tickets for ${seats} seats`,
  };
}
