import type { Instant } from '../../kernel/instant.js';
import type { Uuid } from '../../kernel/ids.js';

/** What a version's standing depends on; both a plan's state and a row of the read model have it. */
export interface VersionWindow {
  readonly versionId: Uuid;
  /** Null: not started. */
  readonly activeFrom: Instant | null;
  readonly activeTo: Instant | null;
  readonly replacedBy: Uuid | null;
}

/** By the window alone; the three values of the list's filter (api.md 3.1). */
export type VersionPhase = 'not_started' | 'active' | 'ended';

export type VersionStatus = 'not_started' | 'active' | 'grandfathered' | 'retiring' | 'inactive';

export function phaseOf({ activeFrom, activeTo }: VersionWindow, now: Instant): VersionPhase {
  if (activeTo !== null && activeTo <= now) return 'ended';
  return activeFrom === null || activeFrom > now ? 'not_started' : 'active';
}

/** PlanVersion.status (api-completed.md section 2, List plans). */
export function statusOf(version: VersionWindow, runningSubscriptions: number, now: Instant): VersionStatus {
  const phase = phaseOf(version, now);
  if (phase !== 'ended') return phase;
  if (runningSubscriptions === 0) return 'inactive';
  const keptByItsSubscribers = version.replacedBy === null || version.replacedBy === version.versionId;
  return keptByItsSubscribers ? 'grandfathered' : 'retiring';
}
