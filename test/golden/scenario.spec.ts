import { describe, it } from '@jest/globals';
import { modelsOf } from './cases.js';
import { proveScenario } from './prove-scenario.js';
import type { ScenarioModel } from './scenario-model.js';

describe('golden cases: scenarios', () => {
  it.each(modelsOf<ScenarioModel>('scenario'))('$id', ({ model }) => proveScenario(model));
});
