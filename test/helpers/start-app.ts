import { afterEach } from '@jest/globals';
import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';

const open = new Set<INestApplication>();

/** A Nest application with an HTTP server on a free port, closed after the test. */
export async function startApp(
  metadata: ModuleMetadata,
  prepare: (builder: TestingModuleBuilder) => TestingModuleBuilder = (builder) => builder,
): Promise<INestApplication> {
  const module = await prepare(Test.createTestingModule(metadata)).compile();
  const app = module.createNestApplication({ logger: false });
  open.add(app);
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
