import { describe, expect, it } from '@jest/globals';
import { modelsOf } from './cases.js';
import { pending } from './pending.js';
import { proveScenario } from './prove-scenario.js';
import type { ScenarioModel } from './scenario-model.js';
import { STEPS } from './steps.js';

const models = modelsOf<ScenarioModel>('scenario');
const run = models.filter(({ id }) => !(id in pending));

const METRIC_KINDS = ['counter', 'gauge', 'rate'];
/** Every step and kind of metric that a case needs. */
const needsOf = ({ steps, metrics = {} }: ScenarioModel): string[] => [
  ...steps.map((step) => step.do),
  ...Object.values(metrics).map(({ metric_type }) => metric_type),
];
const isBuilt = (need: string): boolean => need in STEPS || METRIC_KINDS.includes(need);

describe('golden cases: scenarios', () => {
  it.each(run)('$id', ({ model }) => proveScenario(model));

  it('are run when all they need is built, and wait by name for what is missing when not', () => {
    const waiting = models.filter(({ model }) => !needsOf(model).every(isBuilt)).map(({ id }) => id);
    expect(Object.keys(pending).sort()).toEqual(waiting.sort());
  });

  it('that wait name a feature that they need and that is not built', () => {
    const mistaken = models.filter(({ id, model }) => {
      const missing = pending[id];
      return missing !== undefined && (isBuilt(missing) || !needsOf(model).includes(missing));
    });
    expect(mistaken).toEqual([]);
  });
});
