/** @import { Fleet } from '../fleet.mjs' */

export const PAYMENTS = 60;
export const AMOUNT = 5;

/**
 * Pays the same order from all processes at once.
 *
 * @param {Fleet} fleet
 * @param {string} orderId
 */
export async function payAll(fleet, orderId) {
  const answers = await fleet.volley(PAYMENTS, (one, arrival) =>
    one.post(`/orders/${orderId}/payments`, { amount: AMOUNT }, { arrival }),
  );
  const { body } = await fleet.at(0).get(`/orders/${orderId}`);
  return {
    accepted: answers.filter(({ status }) => status === 201).length,
    paid: Number(body.paid),
  };
}
