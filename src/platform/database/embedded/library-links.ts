import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * The npm package carries no symbolic links; its install script makes them (`libpq.so.5` → `libpq.so.5.18`). Package
 * managers that block install scripts leave PostgreSQL unable to load its libraries, so the links are made here too.
 */
export function linkLibraries(root: string): void {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const link of links) {
    const target = resolve(root, '..', link.target);
    const source = resolve(root, '..', link.source);
    try {
      symlinkSync(relative(dirname(target), source), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
