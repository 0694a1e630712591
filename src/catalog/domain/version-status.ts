import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';

/** Window of a version, which its status depends on; both a plan's state and a row of the read model have it. */
export interface VersionWindow {
  readonly versionId: Uuid;
  /** Null: not started. */
  readonly activeFrom: Instant | null;
  readonly activeTo: Instant | null;
  readonly replacedBy: Uuid | null;
  /** Null: not deleted. */
  readonly deletedAt: Instant | null;
}

/** Phase by the window alone: the values of the list's filter (docs/contract.md#version-status). A deleted version has ended. */
export type VersionPhase = 'not_started' | 'active' | 'ended';

export type VersionStatus = 'deleted' | 'not_started' | 'active' | 'grandfathered' | 'retiring' | 'inactive';

export function phaseOf({ activeFrom, activeTo, deletedAt }: VersionWindow, now: Instant): VersionPhase {
  if (deletedAt !== null || (activeTo !== null && activeTo <= now)) return 'ended';
  return activeFrom === null || activeFrom > now ? 'not_started' : 'active';
}

/** PlanVersion.status (docs/contract.md#version-status). */
export function statusOf(version: VersionWindow, runningSubscriptions: number, now: Instant): VersionStatus {
  if (version.deletedAt !== null) return 'deleted';
  const phase = phaseOf(version, now);
  if (phase !== 'ended') return phase;
  if (runningSubscriptions === 0) return 'inactive';
  const keptByItsSubscribers = version.replacedBy === null || version.replacedBy === version.versionId;
  return keptByItsSubscribers ? 'grandfathered' : 'retiring';
}

interface NumberedVersion extends VersionWindow {
  readonly number: number | 'custom_version';
}

export interface PlanSummary<Version> {
  /** Number of distinct public version numbers; custom versions have none. */
  readonly numVersions: number;
  /** The highest active public number, else 0. */
  readonly activeVersion: number;
  /** Version to show where only one fits: the active public one, else the latest. */
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
