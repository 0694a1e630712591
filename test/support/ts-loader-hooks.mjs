import { transformFile } from '@swc/core';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SWC = JSON.parse(readFileSync(new URL('./runner/swc.json', import.meta.url), 'utf8'));
const JEST_GLOBALS = new URL('./runner/jest-globals.mjs', import.meta.url).href;
/** The runner asks for a spec with the time behind it, so that a second run of it is not the first one's module. */
const IS_SOURCE = /\.ts(\?\d+)?$/;

/** Imports say `.js`, as the built files do; beside the sources that is the `.ts` of the same name. */
export async function resolve(specifier, context, next) {
  if (!IS_SOURCE.test(context.parentURL ?? '')) return next(specifier, context);
  if (specifier === '@jest/globals') return { url: JEST_GLOBALS, format: 'module', shortCircuit: true };
  if (/^\.{1,2}\/.*\.js$/.test(specifier)) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !IS_SOURCE.test(url)) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), SWC);
  return { format: 'module', source: code, shortCircuit: true };
}
