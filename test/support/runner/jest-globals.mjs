import { inspect } from 'node:util';

/**
 * What `@jest/globals` is to a spec: jest-light-runner gives the same as globals, but knows no time limit, and an error
 * that nobody catches ends its worker. Here both fail the test or hook that is under way.
 */
/** When a test that hangs is given up, not how long one may take: a busy machine is many times slower than an idle one. */
const LIMIT_MS = 600_000;

const { describe, expect, jest } = globalThis;
export { describe, expect, jest };

export const it = limited(globalThis.it);
it.only = limited(globalThis.it.only);
it.each = (...table) => limited(globalThis.it.each(...table));

const hook = (register) => (body, limit) => register(within(body, limit));
export const beforeAll = hook(globalThis.beforeAll);
export const beforeEach = hook(globalThis.beforeEach);
export const afterEach = hook(globalThis.afterEach);
export const afterAll = hook(globalThis.afterAll);

function limited(register) {
  return (name, body, limit) => register(name, within(body, limit));
}

const uncaught = [];
let underWay = () => undefined;
for (const kind of ['uncaughtException', 'unhandledRejection']) {
  process.on(kind, (error) => {
    uncaught.push(error);
    underWay();
  });
}

function within(body, limit = LIMIT_MS) {
  return async (...values) => {
    let timer;
    const broken = new Promise((_, reject) => {
      underWay = () => reject(uncaught.shift());
      timer = setTimeout(() => reject(new Error(`is not done after ${limit} ms`)), limit);
    });
    try {
      if (uncaught.length > 0) underWay();
      await Promise.race([broken, body(...values)]);
    } catch (error) {
      throw error instanceof Error ? error : new Error(`thrown: ${inspect(error)}`);
    } finally {
      clearTimeout(timer);
      underWay = () => undefined;
    }
  };
}
