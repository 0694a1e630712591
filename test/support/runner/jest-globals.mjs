import { inspect } from 'node:util';

/**
 * What `@jest/globals` is to a spec: jest-light-runner gives the same as globals, but knows no time limit, runs the tests
 * of a file whose preparation failed, and an error that nobody catches ends its worker. Here each fails the test or hook
 * that is under way, and tests without their preparation fail at once.
 */
/** When a test that hangs is given up, not how long one may take: a busy machine is many times slower than an idle one. */
const LIMIT_MS = 600_000;
/** The same of a file: where a service hangs, so do all of its tests, one after the other. */
const FILE_LIMIT_MS = 1_500_000;
/** What a file has to clean up is given time, even beyond its limit. */
const CLEANUP_MS = 60_000;

const { expect, jest } = globalThis;
export { expect, jest };

/** The block of tests that is being registered; undefined outside of all. */
let block;

const inBlock = (body) => () => {
  const outer = block ?? fileUnderWay();
  block = { outer, unprepared: false };
  try {
    return body();
  } finally {
    block = outer.outer && outer;
  }
};
export const describe = (name, body) => globalThis.describe(name, inBlock(body));
describe.each = (...table) => {
  const register = globalThis.describe.each(...table);
  return (name, body) => register(name, (...values) => inBlock(() => body(...values))());
};

export const it = limited(globalThis.it);
it.only = limited(globalThis.it.only);
it.each = (...table) => limited(globalThis.it.each(...table));

export const beforeAll = (body, limit) => {
  const prepared = block ?? fileUnderWay();
  const noted = async () => {
    try {
      await body();
    } catch (error) {
      prepared.unprepared = true;
      throw error;
    }
  };
  globalThis.beforeAll(within(noted, limit));
};
export const beforeEach = (body, limit) => globalThis.beforeEach(within(body, limit));
export const afterEach = (body, limit) => globalThis.afterEach(within(body, limit, CLEANUP_MS));
export const afterAll = (body, limit) => globalThis.afterAll(within(body, limit, CLEANUP_MS));

function limited(register) {
  return (name, body, limit) => register(name, within(prepared(body), limit));
}

function prepared(body) {
  const own = block ?? fileUnderWay();
  return (...values) => {
    for (let around = own; around; around = around.outer)
      if (around.unprepared) throw new Error('is not run: its preparation failed');
    return body(...values);
  };
}

/** A worker runs one file after the other. */
let file = { path: undefined, since: 0, unprepared: false };
function fileUnderWay() {
  const path = expect.getState().testPath;
  if (file.path !== path) file = { path, since: Date.now(), unprepared: false };
  return file;
}

const uncaught = [];
let underWay = () => undefined;
for (const kind of ['uncaughtException', 'unhandledRejection']) {
  process.on(kind, (error) => {
    uncaught.push(error);
    underWay();
  });
}

function within(body, limit = LIMIT_MS, atLeast = 0) {
  return async (...values) => {
    const left = Math.max(fileUnderWay().since + FILE_LIMIT_MS - Date.now(), atLeast);
    if (left === 0) throw new Error(`is not run: its file is not done after ${FILE_LIMIT_MS} ms`);
    const given = Math.min(limit, left);
    let timer;
    const broken = new Promise((_, reject) => {
      underWay = () => reject(uncaught.shift());
      timer = setTimeout(() => reject(new Error(`is not done after ${given} ms`)), given);
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
