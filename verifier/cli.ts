import { run } from './main.js';

/** Runs `recount-verify`. */
process.exitCode = await run(process.argv.slice(2), (text) => void process.stdout.write(text));
