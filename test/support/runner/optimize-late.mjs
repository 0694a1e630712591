import { setFlagsFromString } from 'node:v8';

/**
 * For the jest project `specs`: V8 of Node 20 optimizes functions after 30 times the usual work. Specs run most code a
 * few times, and optimizing it takes more processor time than it saves. Node 24 has no such flag.
 */
if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=2000000');
