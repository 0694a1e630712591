import path from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from '@jest/globals';

/** Modules that each command imports before it does anything: the entry, its commands, and the part of the application. */
const BY_COMMAND = {
  '--help': ['cli/main.ts'],
  'projections status': ['cli/main.ts', 'cli/projections.ts', 'cli/tools.ts'],
  explain: ['cli/main.ts', 'cli/commands.ts', 'cli/tools.ts', 'app.module.ts'],
};
type Command = keyof typeof BY_COMMAND;

/** Packages of HTTP, documents and files, and Node's HTTP client: each would take a good part of the start. */
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
  // Esbuild reads no metadata of decorators, which the graph of imports does not depend on.
  ({ metafile } = await build({ ...options, write: false, metafile: true }));
});

/** Names of the packages and modules of Node that the bundle loads at once for a command. */
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
  // A set gives what is added to it while it is walked.
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
