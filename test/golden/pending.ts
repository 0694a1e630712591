/** What a golden case can need that the engine does not have yet: a step of its own. */
export type Missing = 'switch';

/** Scenario cases that wait for a feature, each with one that it needs. What is built is never listed. */
export const pending: Readonly<Record<string, Missing>> = {
  'pror-lago-adv-upgrade-12mar': 'switch',
  'pror-lago-adv-upgrade-sameday': 'switch',
  'pror-lago-anniv-upgrade': 'switch',
  'pror-lago-leapfeb-adv-upgrade': 'switch',
  'pror-killbill-arrear-change': 'switch',
  'pror-meteroid-lastday': 'switch',
  'pror-polar-june-half': 'switch',
  'pror-polar-june-third': 'switch',
  'pror-polar-leapfeb': 'switch',
  'pror-polar-year-304': 'switch',
  'pror-polar-year-leap': 'switch',
  'pror-polar-year-nonleap': 'switch',
  'pror-polar-year-to-month': 'switch',
  'pror-polar-doc#1': 'switch',
  'pror-polar-doc#2': 'switch',
  'pror-polar-discount-swap': 'switch',
  'orb-same-day-changes': 'switch',
  'baremetrics-upgrade': 'switch',
};
