import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A registry that does not answer ends the spec, not the run. */
const LIMIT_MS = 300_000;

/** Installs npm packages into a folder for one spec, without their scripts. */
export async function installPackages(folder: string, packages: readonly string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  await promisify(execFile)('npm', ['install', ...quiet, ...packages], { cwd: folder, timeout: LIMIT_MS });
}
