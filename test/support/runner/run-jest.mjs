import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

/**
 * Runs Jest with the arguments given. With CI set, up to three spec files that fail are run once more, without the others:
 * on a busy machine a spec may fail that depends on time. Each is named at the end, as it is to be mended.
 */
const MOST_REPEATED = 3;

const bin = createRequire(import.meta.url).resolve('jest/bin/jest');
const jest = (...args) =>
  spawnSync(process.execPath, [...process.execArgv, bin, ...args], { stdio: 'inherit' }).status ?? 1;

const failedFiles = (report) =>
  existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
        .testResults.filter(({ status }) => status === 'failed')
        .map(({ name }) => name)
    : [];

function withRepeats(args) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'recount-specs-'));
  const report = path.join(folder, 'report.json');
  try {
    const status = jest('--json', '--outputFile', report, ...args);
    const failed = status === 0 ? [] : failedFiles(report);
    if (failed.length === 0 || failed.length > MOST_REPEATED) return status;
    const repeated = jest('--runTestsByPath', ...failed, ...args);
    const outcome = repeated === 0 ? 'Failed beside all others, passed without them' : 'Failed twice';
    process.stderr.write(`\n${outcome}:\n${failed.join('\n')}\n`);
    return repeated;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const args = process.argv.slice(2);
process.exitCode = process.env.CI ? withRepeats(args) : jest(...args);
