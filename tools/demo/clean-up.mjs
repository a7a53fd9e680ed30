/** @type {(() => unknown)[]} */
const tasks = [];
/** How long, in ms, children may take when all comes to an end. */
export const SHORT_PATIENCE = 2_000;
let ending = false;

/**
 * Remembers what has to be stopped, whatever comes.
 *
 * @param {() => unknown} task
 */
export const onEnd = (task) => tasks.unshift(task);

/** Whether the end has begun, so that errors of what is being stopped are none. */
export const isEnding = () => ending;

/**
 * Stops it all, the latest first, and then this process.
 *
 * @param {number} code
 */
export async function end(code) {
  if (ending) return;
  ending = true;
  // Stopping waits for children that would not keep this process up by
  // themselves: without a timer it would end here, and with code 0.
  setInterval(() => undefined, 1_000);
  for (const task of tasks) {
    try {
      await task();
    } catch (error) {
      console.error(String(error));
    }
  }
  process.exit(code);
}

const SIGNALS = /** @type {const} */ ({
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
});

export function endOnSignals() {
  for (const [signal, code] of Object.entries(SIGNALS)) {
    // May come twice: npm passes on what the terminal sends to all.
    process.on(signal, () => {
      if (!ending) process.stdout.write('\nstopping ...\n');
      void end(code);
    });
  }
}
