import { contentHash } from '../../kernel/canonical-json.js';
import { assertNever, type Decider, type IssuedCommand } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Addon, AddonVersion } from './addon-version.js';
import type { AddonEvent } from './events.js';
import type { PriceContent } from '../../pricing/price-content.js';

export type AddonState = Addon | undefined;

export type AddonDraft = Omit<Addon, 'version'> & {
  readonly version: Omit<AddonVersion, 'contentHash' | 'createdAt'>;
};

export type AddonCommand = { readonly type: 'DefineAddon' } & AddonDraft;

/** Stream `addon-{org}.{addonId}`. */
export const addonDecider = {
  category: 'addon',
  initial: (): AddonState => undefined,
  decide,
  evolve,
} as const satisfies Decider<AddonState, AddonCommand, AddonEvent> & { category: 'addon' };

/** Returns `usage_based` for an add-on with components, else `flat` (docs/contract.md#add-on-subscription). */
export const addonTypeOf = ({ components }: Pick<PriceContent, 'components'>): 'usage_based' | 'flat' =>
  components.length > 0 ? 'usage_based' : 'flat';

function decide(command: IssuedCommand<AddonCommand>, state: AddonState): readonly AddonEvent[] {
  if (state) throw new DomainError('invalid_state', 'This add-on exists already. Use another name.');
  const { addonId, name, description, version, now: createdAt } = command;
  requireUnits(version.content);
  const published = { ...version, contentHash: contentHash(version.content), createdAt };
  return [{ type: 'AddonDefined', data: { addonId, name, description, version: published } }];
}

/** Requires default units of prepaid components, as attaching an add-on names none (docs/billing.md#prepaid-units). */
function requireUnits({ components }: PriceContent): void {
  if (components.every(({ prepaid }) => prepaid?.units !== null)) return;
  throw new DomainError(
    'prepayment_cant_determine_units',
    'Give default units for every prepaid_charge of an add-on.',
  );
}

function evolve(_: AddonState, event: AddonEvent): AddonState {
  switch (event.type) {
    case 'AddonDefined':
      return event.data;
    default:
      return assertNever(event.type);
  }
}
