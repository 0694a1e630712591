/** Builds everything that runs: the service, the console and the verifier. */
import { buildConsole } from './build-console.mjs';
import { buildService } from './build-service.mjs';
import { buildVerifier } from './build-verifier.mjs';

await buildService();
await buildConsole();
await buildVerifier();
