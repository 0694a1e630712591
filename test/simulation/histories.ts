import fc from 'fast-check';
import { histories } from './commands.js';
import { shops } from './shop.js';
import { simulate } from './simulation.js';

/** Generates the arguments of `simulate`: a shop, commands, and the scheduler that interleaves the processes. */
export const simulations = (replayPath?: string) => [shops, histories(replayPath), fc.scheduler()] as const;

/** Simulates `numRuns` histories. One that breaks an invariant is shrunk and printed with its seed and path. */
export const expectSound = (numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(...simulations(), async (...history) => void (await simulate(...history))),
    { numRuns },
  );
