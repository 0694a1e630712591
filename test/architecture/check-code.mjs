/**
 * `npm run check:code`: the types, and the lint rules that ask for types, on one program. To type-check the sources is
 * most of the work of both, and each on its own does it for itself.
 */
import { ESLint } from 'eslint';
import ts from 'typescript';

const host = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
    throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
  },
};
const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(
  'tsconfig.json',
  { noEmit: true, incremental: false },
  host,
);
const program = ts.createProgram(fileNames, options);
const wrong = [...errors, ...ts.getPreEmitDiagnostics(program)];
process.stdout.write(
  ts.formatDiagnostics(wrong, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getNewLine: () => '\n',
  }),
);

const parserOptions = { projectService: false, programs: [program] };
const lint = new ESLint({ overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions } } });
const results = await lint.lintFiles('.');
process.stdout.write(await (await lint.loadFormatter('stylish')).format(results));

const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
process.exitCode = wrong.length === 0 && isClean ? 0 : 1;
