import fc from 'fast-check';
import { tries } from './law-runs.js';

const { lawSeed } = globalThis as { lawSeed?: number };

/** Defaults of laws without their own settings; `lawSeed` makes runs repeatable. */
fc.configureGlobal({ ...tries(100), ...(lawSeed === undefined ? {} : { seed: lawSeed }) });
