import fc from 'fast-check';
import { tries } from './law-runs.js';

const { lawSeed } = globalThis as { lawSeed?: number };

/** For laws that say nothing of their own; with a `lawSeed` every run tries the same. */
fc.configureGlobal({ ...tries(100), ...(lawSeed === undefined ? {} : { seed: lawSeed }) });
