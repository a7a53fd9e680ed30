/**
 * @typedef {object} Example
 * @property {string} about
 * @property {string[]} lines for a shell
 */

/**
 * What to try on the running sample app.
 *
 * @param {readonly number[]} ports of its three processes
 * @param {number} redisPort
 * @returns {Example[]}
 */
export function curlLines(ports, redisPort) {
  const [a, b, c] = ports.map((port) => `curl -sw '\\n' localhost:${port}`);
  const all = ports.join(' ');
  const each = "curl -sw '\\n' localhost:$port";
  return [
    {
      about: 'one payment at a time per order: the second one waits for the first',
      lines: [
        `${a}/orders/42/payments -d amount=5 -d takes=4000 &`,
        `sleep 0.5; ${b}/orders/42/payments -d amount=5 &`,
      ],
    },
    {
      about: 'meanwhile: who holds the order, for how long, and who waits',
      lines: [
        `${c}/locks/order:42`,
        `redis-cli -p ${redisPort} GET lock:order:42`,
        `redis-cli -p ${redisPort} PTTL lock:order:42`,
        `redis-cli -p ${redisPort} ZRANGE queue:{lock:order:42} 0 -1`,
      ],
    },
    {
      about: 'busy for longer than the 5 s that a call waits: 423 with Retry-After',
      lines: [
        `${a}/orders/43/payments -d amount=5 -d takes=8000 &`,
        `sleep 0.5; ${b}/orders/43/payments -d amount=5 -i`,
      ],
    },
    {
      about: 'first come, first served, whichever process they come to',
      lines: [
        `for guest in 1 2 3; do for port in ${all}; do ${each}/shows/7/seats -d guest=$guest-at-$port -d takes=300 & sleep 0.1; done; done; wait`,
      ],
    },
    {
      about: 'three at a time: nine charges of a second take three seconds',
      lines: [
        `time (for i in 1 2 3; do for port in ${all}; do ${each}/gateways/visa/charges -d amount=1 -d takes=1000 & done; done; wait)`,
      ],
    },
    {
      about: 'meanwhile, in another terminal: who is in',
      lines: [`curl -sw '\\n' 'localhost:${ports[2]}/locks/gateway:visa?kind=semaphore'`],
    },
    {
      about: 'a lock on a handler, and one around a whole controller',
      lines: [
        `${a}/stock/A-1/counts -d takes=50`,
        `${b}/tenants/acme/imports -d takes=50`,
        `${c}/tenants/acme/settings -d takes=50 -X PUT`,
      ],
    },
    {
      about: 'entries written under LockService.withLock, with their fence',
      lines: [`${b}/ledger/rent/entries -d text=March`, `${a}/ledger/rent/entries`],
    },
    {
      about: 'a holder that dies (here the third process): the waiting one is next when its lease of 1.5 s is over',
      lines: [
        `${c}/ledger/rent/entries -d text=lost -d takes=60000 &`,
        `sleep 0.5; time ${a}/ledger/rent/entries -d text=kept &`,
        `kill -9 $(curl -s localhost:${ports[1]}/locks/ledger:rent | grep -o '"pid":[0-9]*' | head -1 | cut -d: -f2)`,
      ],
    },
    {
      about: 'what this process has done under which lock, with time and fence',
      lines: [`${a}/journal`],
    },
  ];
}
