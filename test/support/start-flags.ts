import { readFileSync } from 'node:fs';
import path from 'node:path';

const { scripts } = JSON.parse(readFileSync(path.join(process.cwd(), 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Flags of Node with which `npm start` runs the service. */
export const startFlags: readonly string[] = scripts['start']!.match(/--\S+/g) ?? [];
