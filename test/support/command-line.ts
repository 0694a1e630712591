/**
 * Arguments of Node that run the command line in a process of its own: the sources, or with COMPILED_SERVICE the bundle of
 * `npm run test:all`, which is what `npm run build` makes.
 */
export const COMMAND_LINE: readonly string[] = process.env['COMPILED_SERVICE']
  ? ['dist/bench/bundled-cli/main.js']
  : ['--import', './test/support/ts-loader.mjs', 'src/cli/main.ts'];
