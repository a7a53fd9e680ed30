import { afterEach } from '@jest/globals';
import type { INestApplication, LoggerService, ModuleMetadata } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';

const open = new Set<INestApplication>();

export interface StartOptions {
  /** Instead of the one for Express. */
  adapter?: AbstractHttpAdapter | undefined;
  /** What a `main.ts` does before it listens. */
  configure?: (app: INestApplication) => unknown;
  logger?: LoggerService;
}

/** A Nest application with an HTTP server on a free port, closed after the test. */
export async function startApp(
  metadata: ModuleMetadata,
  prepare: (builder: TestingModuleBuilder) => TestingModuleBuilder = (builder) => builder,
  { adapter, configure, logger }: StartOptions = {},
): Promise<INestApplication> {
  const module = await prepare(Test.createTestingModule(metadata)).compile();
  const options = { logger: logger ?? (false as const) };
  const app = adapter ? module.createNestApplication(adapter, options) : module.createNestApplication(options);
  open.add(app);
  await configure?.(app);
  await app.listen(0, '127.0.0.1');
  return app;
}

/** Ends an application before the test does. */
export async function stopApp(app: INestApplication): Promise<void> {
  open.delete(app);
  await app.close();
}

afterEach(async () => {
  await Promise.all([...open].map(stopApp));
});
