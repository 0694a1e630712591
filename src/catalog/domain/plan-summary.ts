import type { Instant } from '../../kernel/instant.js';
import { phaseOf, type VersionWindow } from './version-status.js';

interface NumberedVersion extends VersionWindow {
  readonly number: number | 'custom_version';
}

export interface PlanSummary<Version> {
  /** Public version numbers there are; custom versions have none. */
  readonly numVersions: number;
  /** The highest active public number, else 0. */
  readonly activeVersion: number;
  /** Version for clients that know only one: the active public one, else the latest. */
  readonly displayVersion: Version;
}

/**
 * Derives the values of a plan from its versions (docs/contract.md#plan).
 * @param versions all of them, in the order of their publication, at least one
 */
export function planSummaryOf<Version extends NumberedVersion>(
  versions: readonly Version[],
  now: Instant,
): PlanSummary<Version> {
  const isPublic = ({ number }: Version) => number !== 'custom_version';
  const onSale = versions.filter((version) => isPublic(version) && phaseOf(version, now) === 'active');
  const highest = onSale.reduce<Version | undefined>(
    (best, version) => (best && Number(best.number) > Number(version.number) ? best : version),
    undefined,
  );
  return {
    numVersions: new Set(versions.filter(isPublic).map(({ number }) => number)).size,
    activeVersion: highest ? Number(highest.number) : 0,
    displayVersion: highest ?? versions.at(-1)!,
  };
}
