import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Marks the build that holds a folder as used by this process, until the process ends: `scripts/builds.mjs` keeps marked
 * builds. A folder outside of `dist/builds`, or one that cannot be written, needs no mark.
 */
export function markBuildInUse(folder: string): void {
  const build = /^.*[/\\]dist[/\\]builds[/\\][^/\\]+/.exec(realpathSync(folder))?.[0];
  if (build === undefined) return;
  const mark = path.join(build, 'in-use', String(process.pid));
  try {
    mkdirSync(path.dirname(mark), { recursive: true });
    writeFileSync(mark, startOfProcess());
  } catch {
    return;
  }
  process.once('exit', () => rmSync(mark, { force: true }));
}

/**
 * Returns when this process began, as Linux counts it: another process may get its number. Empty on other systems.
 * Field 22 of /proc/self/stat; the second is a name in parentheses that may have blanks.
 */
function startOfProcess(): string {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!;
  } catch {
    return '';
  }
}
