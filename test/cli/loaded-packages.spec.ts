import path from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from '@jest/globals';

/** Modules that each command imports at its start: the entry point, its commands, and its part of the application. */
const BY_COMMAND = {
  '--help': ['cli/main.ts'],
  'projections status': ['cli/main.ts', 'cli/projections.ts', 'cli/tools.ts'],
  explain: ['cli/main.ts', 'cli/commands.ts', 'cli/tools.ts', 'app.module.ts'],
};
type Command = keyof typeof BY_COMMAND;

/** Packages for HTTP, documents and files, and the HTTP client of Node. Each would lengthen the start considerably. */
const NOT_AT_THE_START = [
  ...['express', 'body-parser', '@nestjs/platform-express', 'helmet', 'http', 'https', 'prom-client'],
  ...['class-validator', 'class-transformer', 'validator', 'libphonenumber-js', 'swagger-ui-dist'],
  ...['pdfkit', 'xmlbuilder2', 'bidi-js', 'hyparquet-writer', '@eventstore/db-client'],
];

let metafile: Metafile;
beforeAll(async () => {
  const script = path.resolve('scripts/bundle-cli.mjs');
  const { BUNDLING } = (await import(script)) as { readonly BUNDLING: BuildOptions };
  const options = { ...BUNDLING, entryPoints: ['src/cli/main.ts'], outdir: 'dist/not-written' };
  // Esbuild does not emit decorator metadata, and the import graph does not depend on it.
  ({ metafile } = await build({ ...options, write: false, metafile: true }));
});

/** Returns the packages and Node modules that the bundle loads at the start of a command. */
function loadedBy(command: Command): string[] {
  const files = BY_COMMAND[command].map((module) => {
    const found = Object.entries(metafile.outputs).find(
      ([, { entryPoint }]) => entryPoint === `src/${module}`,
    );
    if (!found) throw new Error(`${module} is no file of its own`);
    return found[0];
  });
  const names = new Set<string>();
  const seen = new Set(files);
  // The loop also visits the files that are added to the set during it.
  for (const file of seen) {
    const { inputs, imports } = metafile.outputs[file]!;
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input) ?? [];
      if (name !== undefined && bytesInOutput > 0) names.add(name);
    }
    for (const { path, kind, external } of imports) {
      if (kind === 'dynamic-import') continue;
      if (external) names.add(path.replace(/^node:/, ''));
      else seen.add(path);
    }
  }
  return [...names];
}

describe('the bundled command line', () => {
  it.each(Object.keys(BY_COMMAND) as Command[])(
    'loads nothing of HTTP, documents and files for recount %s',
    (command) => {
      expect(loadedBy(command).filter((name) => NOT_AT_THE_START.includes(name))).toEqual([]);
    },
  );

  it('loads nothing of the application for help', () => {
    const packages = loadedBy('--help').filter((name) =>
      /^@nestjs|^(pg|kysely|rxjs|pino|reflect-metadata)$/.test(name),
    );
    expect(packages).toEqual([]);
  });
});
