import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');
const RUN_JEST = path.join(root, 'test/support/runner/run-jest.mjs');

function runFixtures(
  fixtures: string,
  env: NodeJS.ProcessEnv,
  ...options: string[]
): SpawnSyncReturns<string> {
  const project = ['--selectProjects', 'unit', '--testPathIgnorePatterns', '/none/'];
  return spawnSync(process.execPath, [RUN_JEST, ...project, ...options, '--', `fixtures/${fixtures}`], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

describe('the test runner', () => {
  it('fails every test and hook that is wrong, that never ends, whose error nobody catches or whose preparation failed', () => {
    const { status, stdout } = runFixtures('test-runner', { CI: '' }, '--maxWorkers', '2', '--json');
    expect(status).toBe(1);
    const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report;
    expect(report).toMatchObject({ success: false, numPassedTests: 1, numRuntimeErrorTestSuites: 1 });
    const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(results.filter(({ status }) => status === 'failed').map(({ title }) => title)).toEqual([
      'that is wrong',
      'that is wrong later',
      'of a table with 2',
      'that never ends',
      'that leaves an error to nobody',
      '(beforeAll)',
      'is not run',
      '(afterAll)',
    ]);
  });
});

describe('a run in CI', () => {
  it.each([
    [0, 'Failed beside all others, passed without them', 'repeated-specs/fails-at-first'],
    [1, 'Failed twice', 'repeated-specs'],
  ])('ends with %d and names files under: %s', (expected, outcome, fixtures) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'repeated-'));
    try {
      const env = { CI: 'true', RUN_BEFORE: path.join(folder, 'mark') };
      const { status, stderr } = runFixtures(fixtures, env, '--runInBand');
      expect(status).toBe(expected);
      expect(/^(Failed .*):\n.*\/fails-/m.exec(stderr)?.[1]).toBe(outcome);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}
