import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { markBuildInUse } from '../platform/build-in-use.js';

export interface ConsoleFile {
  readonly path: string;
  readonly mediaType: string;
  /** Tells whether the name contains a hash of the content, so that the file never changes. */
  readonly isHashed: boolean;
  /** Encodings in which the build stored the file too, the best first. */
  readonly encodings: readonly Encoding[];
}

export type Encoding = 'br' | 'gzip';

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

export const encodedPath = (file: ConsoleFile, encoding: Encoding): string => file.path + SUFFIXES[encoding];

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * Files of the built console by their path below `/console/`. Nothing else is served, whatever a path
 * contains.
 */
@Injectable()
export class ConsoleFiles {
  #files: ReadonlyMap<string, ConsoleFile> | undefined;

  /** Returns undefined for an unknown path, and for every path when the console is not built. */
  find(name: string): ConsoleFile | undefined {
    this.#files ??= listFiles(path.dirname(fileURLToPath(import.meta.resolve('#console/index.html'))));
    return this.#files.get(name);
  }
}

/** Resolves the link to the build first, so that a process serves one build as long as it runs. */
function listFiles(link: string): ReadonlyMap<string, ConsoleFile> {
  if (!existsSync(link)) return new Map();
  const folder = realpathSync(link);
  markBuildInUse(folder);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll(path.sep, '/'),
  );
  const known = new Set(names);
  return new Map(
    names.flatMap((name): [string, ConsoleFile][] => {
      const mediaType = MEDIA_TYPES[path.extname(name)];
      if (mediaType === undefined) return [];
      const encodings = (['br', 'gzip'] as const).filter((encoding) => known.has(name + SUFFIXES[encoding]));
      const isHashed = name.startsWith('assets/');
      return [[name, { path: path.join(folder, name), mediaType, isHashed, encodings }]];
    }),
  );
}
