/**
 * Bundles the command line of a build in place: loading some 2,000 modules one by one takes longer than what most
 * commands do. `src/cli/main.js` answers help; `commands`, one file, has all that commands need of the service; what the
 * service loads when it is asked for (the PDF, the client of EventStoreDB) stays in files of its own.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/** Kept out: optional packages of Nest and pg, which are not installed; packages that look up files beside them. */
const EXTERNAL = [
  '@nestjs/microservices',
  '@nestjs/platform-socket.io',
  '@nestjs/websockets',
  'pg-native',
  'pdfkit',
  '@eventstore/db-client',
];

/** Names that CommonJS modules expect in their scope. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`;

/**
 * The command bus of @nestjs/cqrs imports the index that exports it. A bundle may enter this circle at the command bus, and
 * the event bus is then defined before the class that Nest has to give it.
 */
export const WITHOUT_CIRCLE = {
  name: 'cqrs-without-circle',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/index\.js$/ }, ({ importer, resolveDir }) =>
      importer.endsWith('/@nestjs/cqrs/dist/command-bus.js')
        ? { path: path.join(resolveDir, 'exceptions/index.js') }
        : undefined,
    );
  },
};

/**
 * The command line listens to nothing: controllers and the steps of a request are classes without content, and express, the
 * bodies' validators and their rules stay out. Node's `http`, which Nest imports for the names of statuses, would load the
 * HTTP client and WebSockets of Node too.
 */
const WITHOUT_HTTP = {
  name: 'without-http',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /(\.controllers?|\/http\.module)\.[jt]s$/ }, ({ path: file }) => {
      const classes = readFileSync(file, 'utf8').matchAll(/\bclass (\w+(?:Controller|Module)) /g);
      return { contents: [...classes].map(([, name]) => `export class ${name} {}`).join('\n') };
    });
    onResolve({ filter: /^http$/ }, ({ importer }) =>
      importer.includes('/@nestjs/core/') ? { path: 'http', namespace: 'without-http' } : undefined,
    );
    onLoad({ filter: /^http$/, namespace: 'without-http' }, () => ({
      contents: 'export const STATUS_CODES = {};',
    }));
  },
};

/** How the command line is bundled; the spec of what a command loads bundles the sources in the same way. */
export const BUNDLING = {
  bundle: true,
  splitting: true,
  chunkNames: 'bundled/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: EXTERNAL,
  plugins: [WITHOUT_CIRCLE, WITHOUT_HTTP],
  banner: { js: REQUIRE },
  // Node reads and compiles a third less; the names of functions and classes stay.
  minifyWhitespace: true,
  logLevel: 'warning',
  logOverride: { 'unsupported-dynamic-import': 'silent' },
};

/** @param folder a build, whose command line is replaced unless `outdir` says where the bundle goes */
export async function bundleCommandLine(folder, outdir = path.join(folder, 'src/cli')) {
  const main = path.join(folder, 'src/cli/main.js');
  if (!existsSync(main)) return;
  await build({ ...BUNDLING, entryPoints: [main], outdir, allowOverwrite: true });
  rmSync(path.join(outdir, 'main.js.map'), { force: true });
}

if (process.argv[1] === import.meta.filename) await bundleCommandLine(process.argv[2], process.argv[3]);
