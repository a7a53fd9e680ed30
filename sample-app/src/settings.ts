const { env } = process;

/** What the environment says. Read once, since decorators need it while classes are being defined. */
export const settings = {
  redisUrl: env.REDIS_URL ?? 'redis://localhost:6379',
  port: Number(env.PORT ?? 3000),
  /** All locks off, to see what they are for. */
  unlocked: env.UNLOCKED === '1',
  /** When the nightly report is due. */
  nightlyCron: env.NIGHTLY_CRON ?? '0 3 * * *',
  /** File for the journal, one JSON object per line; kept in memory only when there is none. */
  journalFile: env.JOURNAL_FILE,
};
