import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Package {
  readonly name: string;
  readonly version: string;
}

/** Returns the version of the package that this file is part of; a build stands in a folder below it. */
export function packageVersion(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    const found = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Package) : undefined;
    if (found?.name === 'recount') return found.version;
    if (folder === path.dirname(folder)) return 'unknown';
  }
}
