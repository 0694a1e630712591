import { addonMember } from '../../src/billing/rating/addon-members.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { contentHash } from '../../src/kernel/canonical-json.js';
import { namedId } from '../../src/kernel/ids.js';
import type { AddonToAttach } from '../../src/subscription/domain/attach-addon.js';
import { addonsOf } from '../../src/subscription/domain/term-addons.js';
import { runTermOf, type Running } from './running.js';
import { contentOf, type ScenarioModel, type Step } from './scenario-model.js';

/** An add-on of the model as a step attaches it. */
export function addonToAttach(
  model: ScenarioModel,
  { addon: name, quantity = '1' }: Step,
  { offer }: Running,
): AddonToAttach {
  const { billing_frequency, invoice_when } = model.addons![name!]!;
  const content = contentOf(model, model.addons![name!]!);
  return {
    addon: {
      ...{
        addonId: namedId(`addon ${name}`),
        addonVersionId: namedId(`version of addon ${name}`),
        name: name!,
      },
      ...{ quantity: Number(quantity), metadata: {}, metrics: content.components },
      ...{ contentHash: contentHash(content), currency: content.currency },
      addonType: content.components.length > 0 ? 'usage_based' : 'flat',
      billingFrequency: billing_frequency ?? 'recurring',
      invoiceWhen: invoice_when ?? 'invoice_on_attach',
    },
    planMetrics: offer.content.components,
  };
}

/** A term as a run reads it, and its add-ons behind it. */
export function membersOf(model: ScenarioModel, running: Running): RunTerm[] {
  const own = runTermOf(running);
  const addons = addonsOf(own.term).map((addon) =>
    addonMember(own, addon, contentOf(model, model.addons![addon.name]!)),
  );
  return [own, ...addons];
}
