import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadPyodide, type PyodideInterface } from 'pyodide';

const home = path.dirname(createRequire(import.meta.url).resolve('pyodide'));

const SCRIPT = path.join(import.meta.dirname, 'check_bundle.py');

/** Interpreter of this worker: its start takes longer than most checks. */
let interpreter: Promise<PyodideInterface> | undefined;

/**
 * Returns the output of `check_bundle.py` for a bundle. CPython runs as WebAssembly, so that no installed Python is needed.
 * @throws the assertion that does not hold
 */
export async function checkInPython(bundle: string, invoice: string, key: string): Promise<string> {
  const python = await (interpreter ??= loadPyodide({ indexURL: `${home}/` }));
  let printed = '';
  python.setStdout({ batched: (line) => (printed += line) });
  python.FS.writeFile('/bundle.zip', readFileSync(bundle));
  // Each run of the script has variables of its own.
  const globals = python.toPy({ argv: ['', '/bundle.zip', invoice, key] });
  python.runPython('import sys; sys.argv = argv', { globals });
  python.runPython(readFileSync(SCRIPT, 'utf8'), { globals });
  return printed;
}
