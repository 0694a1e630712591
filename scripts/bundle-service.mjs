/**
 * Bundles the service of a build: `npm run test:all` starts it a hundred times, and a start takes half as long when some
 * 1,500 modules are one file.
 */
import path from 'node:path';
import { build } from 'esbuild';
import { BUNDLING, WITHOUT_CIRCLE } from './bundle-cli.mjs';

const [folder] = process.argv.slice(2);

await build({
  ...BUNDLING,
  entryPoints: [path.join(folder, 'src/main.js')],
  outdir: path.join(folder, 'bundled-service'),
  // The API document names schemas by their classes.
  keepNames: true,
  // Every module needs it first.
  external: ['reflect-metadata', ...BUNDLING.external],
  plugins: [WITHOUT_CIRCLE],
});
