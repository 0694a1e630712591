import { contentHash } from '../../../src/kernel/canonical-json.js';
import { type RecordedEvent, upcastEvent, newestVersion, type Upcasters } from '../../../src/kernel/event.js';
import type { FormerShape } from './shapes.js';

interface StoredShapes {
  /** An example of each event type as the current code writes it. */
  readonly current: Readonly<Record<string, object>>;
  /** Hashes of the released examples by type and version. */
  readonly released: Readonly<Record<string, string>>;
  readonly former: readonly FormerShape[];
  readonly upcasters: Upcasters;
}

/**
 * Returns why the current code cannot read released events, in sentences: each other shape needs a version with an
 * upcaster.
 */
export function shapeFaults({ current, released, former, upcasters }: StoredShapes): string[] {
  const shapes = new Map<string, object>([
    ...Object.entries(current).map(
      ([type, data]) => [`${type} ${newestVersion(upcasters, type)}`, data] as const,
    ),
    ...former.map(({ type, version, data }) => [`${type} ${version}`, data] as const),
  ]);
  return [
    ...[...shapes]
      .filter(([name, data]) => released[name] !== contentHash(data))
      .map(([name]) => `${name} is not the shape that was released`),
    ...Object.keys(released)
      .filter((name) => !shapes.has(name))
      .map((name) => `${name} was released and is gone`),
    ...Object.keys(upcasters).flatMap((type) => liftFaults(type, { current, former, upcasters })),
  ];
}

function liftFaults(
  type: string,
  { current, former, upcasters }: Pick<StoredShapes, 'current' | 'former' | 'upcasters'>,
): string[] {
  const own = former.filter((shape) => shape.type === type);
  const versions = own.map(({ version }) => version).sort((a, b) => a - b);
  const wanted = upcasters[type]!.map((_, index) => index + 1);
  if (versions.join() !== wanted.join())
    return [`${type} has upcasters from ${wanted.join()}, and examples of ${versions.join() || 'none'}`];
  return own.flatMap(({ version, data }) => {
    const event = { type, data, metadata: { schemaVersion: version } } as unknown as RecordedEvent;
    const lifted = fieldsOf(upcastEvent(upcasters, event).data);
    const fields = lifted.sort().join(', ');
    // An empty list of a former version does not show the fields of its items.
    const seen = fieldsOf(current[type]).map(
      (field) => lifted.find((it) => isEmptyListOf(field, it)) ?? field,
    );
    const today = [...new Set(seen)].sort().join(', ');
    return fields === today ? [] : [`${type} ${version} is lifted to ${fields}, and today has ${today}`];
  });
}

const isEmptyListOf = (field: string, lifted: string): boolean =>
  lifted.endsWith('[]') && field.startsWith(`${lifted}.`);

/** Returns the paths of all fields, such as `lines[].amount.scale`; `lines[]` for an empty list. */
function fieldsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value) && value.length === 0) return [`${at}[]`];
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => fieldsOf(item, `${at}[]`)))];
  if (value === null || typeof value !== 'object') return [at];
  return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner, `${at}.${key}`));
}
