import { transformFileSync } from '@swc/core';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SETTINGS = readFileSync(new URL('./runner/swc.json', import.meta.url), 'utf8');
const SWC = JSON.parse(SETTINGS);
/** Compiled sources, by the hash of path, source and settings: four workers and every process of a run share it. */
const CACHE = new URL('../../node_modules/.cache/recount-sources/', import.meta.url);
mkdirSync(CACHE, { recursive: true });
const JEST_GLOBALS = new URL('./runner/jest-globals.mjs', import.meta.url).href;
/** The runner asks for a spec with the time behind it, so that a second run of it is not the first one's module. */
const IS_SOURCE = /\.ts(\?\d+)?$/;

/** Imports say `.js`, as the built files do; beside the sources that is the `.ts` of the same name. */
export function resolve(specifier, context, next) {
  if (!IS_SOURCE.test(context.parentURL ?? '')) return next(specifier, context);
  if (specifier === '@jest/globals') return { url: JEST_GLOBALS, format: 'module', shortCircuit: true };
  if (/^\.{1,2}\/.*\.js$/.test(specifier)) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!url.startsWith('file:') || !IS_SOURCE.test(url)) return next(url, context);
  return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
}

function compiled(file) {
  const hash = createHash('sha1').update(SETTINGS).update(file).update(readFileSync(file)).digest('hex');
  const kept = new URL(hash, CACHE);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { code } = transformFileSync(file, SWC);
    // Workers are threads of one process: a name by its id would be shared.
    const own = new URL(`${hash}.${randomUUID()}`, CACHE);
    writeFileSync(own, code);
    renameSync(own, kept);
    return code;
  }
}
