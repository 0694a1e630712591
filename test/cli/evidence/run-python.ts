import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadPyodide } from 'pyodide';

const home = path.dirname(createRequire(import.meta.url).resolve('pyodide'));

const SCRIPT = path.join(import.meta.dirname, 'check_bundle.py');

/**
 * Returns the output of `check_bundle.py` for a bundle. CPython runs as WebAssembly, so that no installed Python is needed.
 * @throws the assertion that does not hold
 */
export async function checkInPython(bundle: string, invoice: string, key: string): Promise<string> {
  let printed = '';
  const python = await loadPyodide({ indexURL: `${home}/`, stdout: (line) => (printed += line) });
  python.FS.writeFile('/bundle.zip', readFileSync(bundle));
  python.globals.set('argv', python.toPy(['', '/bundle.zip', invoice, key]));
  python.runPython('import sys; sys.argv = argv');
  python.runPython(readFileSync(SCRIPT, 'utf8'));
  return printed;
}
