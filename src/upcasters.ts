import type { Upcasters } from './kernel/event.js';

/**
 * Upcasters lift events of former releases to today's shapes; the domain sees nothing else. A field that may
 * be missing needs none. Any other change of a stored shape is a new version here, with its former shape kept
 * in test/golden/events; a change of meaning is a new type.
 */
export const UPCASTERS: Upcasters = {
  // Version 1 did not record which charges a reversed charge had paid.
  AccountCarriedForward: [(data) => ({ ...data, setOffs: [] })],
  // Version 1 stored the description unsealed.
  CreditDescriptionChanged: [(data) => ({ ...data, sealedDescription: null })],
};
