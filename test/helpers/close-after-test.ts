import { afterEach } from '@jest/globals';

interface Closable {
  close(): Promise<void>;
}

const open = new Set<Closable>();

/** For what a test starts in another way than `startApp`. */
export function closeAfterTest<T extends Closable>(app: T): T {
  open.add(app);
  return app;
}

afterEach(async () => {
  await Promise.all([...open].map((app) => app.close()));
  open.clear();
});
