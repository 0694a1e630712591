import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Ends the spec when the registry does not answer. */
const LIMIT_MS = 300_000;

/** Installs npm packages into a folder, without running their scripts. */
export async function installPackages(folder: string, packages: readonly string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  await promisify(execFile)('npm', ['install', ...quiet, ...packages], { cwd: folder, timeout: LIMIT_MS });
}
