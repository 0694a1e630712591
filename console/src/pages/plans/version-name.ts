import type { PlanVersion } from '../../../../clients/typescript/src/index.js';

/** Versions of one plan have numbers; those for single customers have none. */
export function versionName({
  version,
  localized_name: name,
  target_customers: targets,
}: PlanVersion): string {
  const number = version === 'custom_version' ? `Custom for ${targets.length}` : `v${version}`;
  return name === null ? number : `${number} ${name}`;
}
