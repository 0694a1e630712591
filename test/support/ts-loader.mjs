// Lets plain Node run the sources: `node --import ./test/support/ts-loader.mjs FILE`.
import { register } from 'node:module';

register('./ts-loader-hooks.mjs', import.meta.url);
