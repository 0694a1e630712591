import type { Step } from './scenario-model.js';
import type { Scenario } from './scenario.js';

/** What this interpreter can do. */
export const STEPS: Readonly<Record<string, (scenario: Scenario, step: Step) => void>> = {
  subscribe: (scenario, step) => scenario.subscribe(step),
  cancel: (scenario, step) => scenario.cancel(step),
  switch: (scenario, step) => scenario.switch(step),
  update: (scenario, step) => scenario.update(step),
  change_prepaid_units: (scenario, step) => scenario.changePrepaidUnits(step),
  set_replacement: (scenario, step) => scenario.setReplacement(step),
  attach_addon: (scenario, step) => scenario.attachAddon(step),
  track: (scenario, step) => scenario.track(step),
  advance_clock: () => undefined,
  create_credit: (scenario, step) => scenario.createCredit(step),
  pay_open_invoices: (scenario) => scenario.payOpenInvoices(),
};
