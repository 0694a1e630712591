// Lets plain Node run the sources: `node --import ./test/support/ts-loader.mjs FILE`.
import * as module from 'node:module';
import { load, resolve } from './ts-loader-hooks.mjs';

// Node 20 runs the hooks in a thread of their own, which each import waits for.
if (module.registerHooks) module.registerHooks({ resolve, load });
else module.register('./ts-loader-hooks.mjs', import.meta.url);
