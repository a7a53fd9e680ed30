import { swcOptions } from './test/swc-options.mjs';

/**
 * @param {string} name folder below test/
 * @param {import('jest').Config} [more]
 * @returns {import('jest').Config}
 */
const project = (name, more) => ({
  displayName: name,
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testMatch: [`<rootDir>/test/${name}/**/*.spec.ts`],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/test/package/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swcOptions] },
  moduleNameMapper: {
    '^nestjs-redis-lock$': '<rootDir>/lib/index.ts',
    '^nestjs-redis-lock/testing$': '<rootDir>/lib/testing/index.ts',
    // Sources name the file that the build makes of them.
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  ...more,
});

const withRedis = {
  globalSetup: '<rootDir>/test/helpers/redis.global-setup.mjs',
};

// Only where `npm run test:containers` has found an engine and images.
const onContainers = process.env['REDIS_LOCK_CONTAINER_IMAGES'] ? [project('containers')] : [];

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  // Jest reads it here only, not in a project. It says when a test hangs; no test is about time.
  testTimeout: 120_000,
  projects: [
    project('unit'),
    project('contract', withRedis),
    project('integration', withRedis),
    project('e2e', withRedis),
    project('chaos', withRedis),
    project('simulation'),
    ...onContainers,
  ],
};
