import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadPyodide } from 'pyodide';

const home = path.dirname(createRequire(import.meta.url).resolve('pyodide'));

/** What a script prints about a bundle. CPython runs as WebAssembly, so that no machine has to have Python. */
export async function runPython(script: string, bundle: string, invoice: string): Promise<string> {
  let printed = '';
  const python = await loadPyodide({ indexURL: `${home}/`, stdout: (line) => (printed += line) });
  python.FS.writeFile('/bundle.zip', readFileSync(bundle));
  python.runPython(`import sys; sys.argv = ['', '/bundle.zip', '${invoice}']`);
  python.runPython(readFileSync(script, 'utf8'));
  return printed;
}
