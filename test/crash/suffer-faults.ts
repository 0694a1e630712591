import { brokenIn } from './broken-in.js';
import { FaultRun } from './fault-run.js';
import { FAULTS } from './faults.js';

/** Applies one fault after the other until the time is over, and reports each. Returns whether all was well. */
export async function sufferFaults(until: number, say: (line: string) => void): Promise<boolean> {
  const run = await FaultRun.start();
  let isWell = true;
  const tell = (what: string, wrong: readonly string[]): void => {
    isWell &&= wrong.length === 0;
    say(`${what}: ${wrong.length === 0 ? 'all is well' : wrong.join('\n  ')}`);
  };
  try {
    do {
      for (const [name, fault] of Object.entries(FAULTS)) {
        const { acknowledged, wrong } = await run.suffer(fault);
        tell(`${name} (${acknowledged} subscriptions so far)`, wrong);
      }
    } while (performance.now() < until);
    await run.endProcesses();
    tell('the books', await brokenIn({ databaseUrl: run.databaseUrl }));
    return isWell;
  } finally {
    await run.stop();
  }
}
