import { DomainError } from '../../kernel/errors.js';
import type { PlanVersion } from './plan-state.js';

type Replaced = Pick<PlanVersion, 'versionId' | 'replacedBy' | 'content'>;

/**
 * A renewal asks nobody how many units are paid for beforehand: every version that one leads to, also over others, has
 * default units for what the version it came from had no units of.
 * @param versions those on sale, as they would be
 * @throws DomainError `prepayment_cant_determine_units`
 */
export function refuseUnknownUnits(versions: readonly Replaced[]): void {
  for (const version of versions) {
    for (const successor of successorsOf(version, versions)) {
      const unknown = prepaidOf(successor).find(
        ({ metricId, prepaid }) =>
          prepaid!.units === null && !prepaidOf(version).some((component) => component.metricId === metricId),
      );
      if (!unknown) continue;
      throw new DomainError(
        'prepayment_cant_determine_units',
        `A renewal would not know the prepaid units of ${unknown.metricName}: give prepaid_charge default units.`,
      );
    }
  }
}

function successorsOf({ versionId, replacedBy }: Replaced, versions: readonly Replaced[]): Replaced[] {
  const met = [versionId];
  const successors: Replaced[] = [];
  for (let next = replacedBy; next !== null && !met.includes(next);) {
    met.push(next);
    const successor = versions.find((version) => version.versionId === next);
    if (!successor) break;
    successors.push(successor);
    next = successor.replacedBy;
  }
  return successors;
}

const prepaidOf = ({ content }: Replaced) => content.components.filter(({ prepaid }) => prepaid !== null);
