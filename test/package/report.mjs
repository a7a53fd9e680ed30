/** Prints one line per check, and the sum. */
export class Report {
  #passed = 0;
  #failed = 0;

  /**
   * @param {string} what
   * @param {boolean} ok
   * @param {string} [details] shown when it failed
   */
  add(what, ok, details = '') {
    if (ok) {
      this.#passed += 1;
      console.log(`ok    ${what}`);
    } else {
      this.#failed += 1;
      console.log(`FAIL  ${what}\n${details.trim().replace(/^/gm, '      ')}`);
    }
  }

  /** Sets the exit code too. */
  close() {
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    process.exitCode = this.#failed === 0 ? 0 : 1;
  }
}
