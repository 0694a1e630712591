import { Injectable } from '@nestjs/common';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import { isUuid, type Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import type { SubscriptionFilter } from '../../subscription/domain/events.js';
import type { AuditEntryRow } from '../read-models.js';

/**
 * Names, as of now, of the records that an event is about; null where it is about none, or the record is gone. The names
 * of customers are personal and stay out: a customer has the id that the caller gave it.
 */
export interface EntryNames {
  readonly customerId: string | null;
  readonly plan: string | null;
  /** Filters of the subscription. */
  readonly filters: readonly SubscriptionFilter[];
  readonly addon: string | null;
  readonly metric: string | null;
}

/** Ids that the data of an event may have. */
interface Subjects {
  readonly term: string | undefined;
  readonly plan: string | undefined;
  readonly addon: string | undefined;
  readonly metric: string | undefined;
}

interface Named {
  readonly kind: keyof Subjects;
  readonly id: string;
  readonly name: string | null;
  readonly filters: readonly SubscriptionFilter[] | null;
}

/** Looks up the names of what audit entries are about, with a fixed number of statements. */
@Injectable()
export class AuditNames {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerDirectory,
  ) {}

  /** Returns the names for each row, in the order of the rows. */
  async of(org: Uuid, rows: readonly AuditEntryRow[]): Promise<readonly EntryNames[]> {
    const subjects = rows.map(subjectsOf);
    const keys = rows.flatMap(({ customer_key: key }) => (key === null ? [] : [key]));
    const [customers, named] = await Promise.all([
      this.customers.present(org, keys),
      this.named(org, subjects),
    ]);
    return rows.map(({ customer_key: key }, index) => {
      const customer = key === null ? undefined : customers.get(key);
      const find = (kind: keyof Subjects): Named | undefined => {
        const id = subjects[index]![kind];
        return id === undefined ? undefined : named.get(`${kind} ${id}`);
      };
      const term = find('term');
      return {
        customerId: customer?.customer_id ?? null,
        plan: (term ?? find('plan'))?.name ?? null,
        filters: term?.filters ?? [],
        addon: find('addon')?.name ?? null,
        metric: find('metric')?.name ?? null,
      };
    });
  }

  private async named(org: Uuid, subjects: readonly Subjects[]): Promise<ReadonlyMap<string, Named>> {
    const ids = (kind: keyof Subjects): string[] => [
      ...new Set(subjects.flatMap(({ [kind]: id }) => (id !== undefined && isUuid(id) ? [id] : []))),
    ];
    const values = [org, ids('term'), ids('plan'), ids('addon'), ids('metric')];
    if (values.every((value) => typeof value === 'string' || value.length === 0)) return new Map();
    const { rows } = await this.database.pool.query<Named>({ name: 'audit-names', text: NAMED, values });
    return new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
  }
}

const NAMED = `
  select 'term' as kind, t.subscription_id as id, p.name, t.filters
    from subscriptions t left join plans p on p.org = t.org and p.plan_id = t.plan_id
    where t.org = $1 and t.subscription_id = any($2::uuid[])
  union all select 'plan', plan_id, name, null from plans where org = $1 and plan_id = any($3::uuid[])
  union all select 'addon', addon_id, name, null from addons where org = $1 and addon_id = any($4::uuid[])
  union all select 'metric', metric_id, name, null from metrics where org = $1 and metric_id = any($5::uuid[])`;

/** Names of the data of events that ids are read from. */
interface Changes {
  readonly addon?: { readonly addonId?: string };
  readonly addonId?: string;
  readonly metricId?: string;
  /** Begins with the id of the subscription. */
  readonly chargeKey?: string;
}

function subjectsOf({ subject_kind: kind, subject_id: id, changes }: AuditEntryRow): Subjects {
  const { addon, addonId, metricId, chargeKey } = changes as Changes;
  const own = (wanted: AuditEntryRow['subject_kind']): string | undefined =>
    kind === wanted ? id : undefined;
  return {
    term: own('subscription') ?? chargeKey?.split('/')[0],
    plan: own('plan'),
    addon: own('addon') ?? addon?.addonId ?? addonId,
    metric: own('metric') ?? metricId,
  };
}
