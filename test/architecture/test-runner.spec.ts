import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');

describe('the test runner', () => {
  it('fails every test and hook that is wrong, that never ends, whose error nobody catches or whose preparation failed', () => {
    const args = [
      'run',
      'jest',
      '--',
      '--selectProjects',
      'unit',
      '--testPathIgnorePatterns',
      '/none/',
      '--maxWorkers',
      '2',
      '--json',
    ];
    const { status, stdout } = spawnSync('npm', [...args, '--', 'fixtures/test-runner'], {
      cwd: root,
      encoding: 'utf8',
    });
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

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}
