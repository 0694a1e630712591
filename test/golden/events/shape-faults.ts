import { contentHash } from '../../../src/kernel/canonical-json.js';
import { type RecordedEvent, upcastEvent, newestVersion, type Upcasters } from '../../../src/kernel/event.js';
import type { FormerShape } from './shapes.js';

interface StoredShapes {
  /** An example of each type as today's code writes it. */
  readonly current: Readonly<Record<string, object>>;
  /** By type and version, the hash of the example it was released with. */
  readonly released: Readonly<Record<string, string>>;
  readonly former: readonly FormerShape[];
  readonly upcasters: Upcasters;
}

/** Why this code could not read what a release has stored, in sentences: another shape is a version with an upcaster. */
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
  const wanted = upcasters[type]!.map((_, place) => place + 1);
  if (versions.join() !== wanted.join())
    return [`${type} has upcasters from ${wanted.join()}, and examples of ${versions.join() || 'none'}`];
  return own.flatMap(({ version, data }) => {
    const event = { type, data, metadata: { schemaVersion: version } } as unknown as RecordedEvent;
    const lifted = fieldsOf(upcastEvent(upcasters, event).data);
    const fields = lifted.sort().join(', ');
    // A list that a former version had nothing for is empty, and does not show what its items have.
    const seen = fieldsOf(current[type]).map(
      (field) => lifted.find((it) => isEmptyListOf(field, it)) ?? field,
    );
    const today = [...new Set(seen)].sort().join(', ');
    return fields === today ? [] : [`${type} ${version} is lifted to ${fields}, and today has ${today}`];
  });
}

const isEmptyListOf = (field: string, lifted: string): boolean =>
  lifted.endsWith('[]') && field.startsWith(`${lifted}.`);

/** `lines[].amount.scale` for each field there is, `lines[]` for a list that is empty. */
function fieldsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value) && value.length === 0) return [`${at}[]`];
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => fieldsOf(item, `${at}[]`)))];
  if (value === null || typeof value !== 'object') return [at];
  return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner, `${at}.${key}`));
}
