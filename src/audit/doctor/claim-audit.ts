import { Injectable } from '@nestjs/common';
import { emailClaim } from '../../customer/commands/email-claims.js';
import type { PersonalData } from '../../customer/domain/personal-data.js';
import { streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import type { Claim } from '../../platform/eventsourcing/claims/claim.js';
import { Vault } from '../../platform/privacy/vault.js';
import { lastingDifferences } from './lasting-differences.js';
import { sealedCustomers, type SealedCustomer } from './sealed-customers.js';

/** Claim that a stream must hold. */
interface WantedClaim extends Claim {
  readonly org: Uuid;
  readonly owner: string;
}

/** Limit of named subscriptions and of named claims. */
const NAMED = 100;

/** Section that restores them. */
const RESTORE = 'restore it (docs/operating.md#reservations-and-claims)';

/** Compares reservations and claims with what they keep unique (docs/architecture.md#claims). */
@Injectable()
export class ClaimAudit {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** Returns sentences for an auditor. A difference counts when it still exists after a while. */
  reservations(patienceMs?: number): Promise<string[]> {
    return lastingDifferences(() => this.sentences(DIFFERING_RESERVATIONS), patienceMs);
  }

  /** Returns sentences for an auditor. A difference counts when it still exists after a while. */
  claims(patienceMs?: number): Promise<string[]> {
    return lastingDifferences(() => this.compareClaims(), patienceMs);
  }

  private async compareClaims(): Promise<string[]> {
    const found = await this.sentences(UNCLAIMED_NAMES);
    for await (const customers of sealedCustomers(this.database.pool)) {
      const wanted = customers.flatMap((customer) => this.wantedBy(customer));
      found.push(...(await this.sentences(UNCLAIMED_EMAILS, JSON.stringify(wanted))));
      if (found.length > NAMED) break;
    }
    return found.slice(0, NAMED);
  }

  /** Returns the claim of a customer on its e-mail address; none without an address, or if its details do not open. */
  private wantedBy(customer: SealedCustomer): readonly WantedClaim[] {
    const { org, subject } = customer;
    try {
      const email = this.vault.unsealWith<PersonalData>(org, customer)?.email ?? null;
      const owner = streamName('customer', org, subject);
      return email === null ? [] : [{ org, owner, ...emailClaim(this.vault, org, email) }];
    } catch {
      // `PersonalDataAudit` names the customer.
      return [];
    }
  }

  private async sentences(statement: string, ...values: readonly string[]): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ what: string }>(statement, [...values]);
    return rows.map(({ what }) => what);
  }
}

/**
 * Compares each term with its reservation. A reservation of no subscription is free after a minute, so it counts only if
 * it is dated in the future. A term that was cancelled before it began takes no time, wherever its reservation ends.
 */
const DIFFERING_RESERVATIONS = `
  with expected as (
    select org, subscription_id, customer_key, version_id, start_at, filters,
      case when state = 'open' and auto_renew then null else end_at end as end_at
    from subscriptions
  )
  select 'subscription ' || subscription_id || ' of organization ' || org || case
    when p.subscription_id is null then ' has no reservation, so the customer can be subscribed to its plan version a second time'
    when s.subscription_id is null then ' was never written, and its reservation is dated in the future, at ' || p.taken_at
    else ' has a reservation with ' || concat_ws(', ',
      case when p.customer_key <> s.customer_key then 'another customer' end,
      case when p.version_id <> s.version_id then 'another plan version' end,
      case when p.start_at <> s.start_at then 'another start, ' || p.start_at end,
      case when p.filters <> s.filters then 'other filters' end,
      case when p.end_at is distinct from s.end_at then coalesce('another end, ' || p.end_at, 'no end') end)
    end || ': ${RESTORE}' as what
  from expected s full join placements p using (org, subscription_id)
  where case
    when p.subscription_id is null then true
    when s.subscription_id is null then p.taken_at > now() + interval '1 minute'
    else (p.customer_key, p.version_id, p.start_at, p.filters) <> (s.customer_key, s.version_id, s.start_at, s.filters)
      or p.end_at is distinct from s.end_at and coalesce(p.end_at > p.start_at or s.end_at > s.start_at, true)
    end
  order by org, subscription_id limit ${NAMED}`;

/** Names whose claim is missing or belongs to another stream. A claim that nobody needs only keeps a name from use. */
const UNCLAIMED_NAMES = `
  with wanted as (
    select org, 'plan' as kind, plan_id as id, name from plans where deleted_at is null
    union all select org, 'addon', addon_id, name from addons
    union all select org, 'metric', metric_id, name from metrics
    union all select org, 'feature', feature_id, name from features
  )
  select w.kind || ' ' || w.id || ' of organization ' || w.org || ' has the name "' || w.name || '", and '
    || coalesce('its claim belongs to ' || c.owner_stream, 'no claim on it') || ', so another can take it: ${RESTORE}' as what
  from wanted w left join claims c on c.org = w.org and c.kind = w.kind || '_name' and c.key = w.name
  where c.owner_stream is distinct from w.kind || '-' || w.org || '.' || w.id
  order by w.org, w.kind, w.id limit ${NAMED}`;

/** Owners of the claims of a JSON list whose claim is missing or belongs to another stream. */
const UNCLAIMED_EMAILS = `
  select w.owner || ' has an e-mail address, and ' || coalesce('its claim belongs to ' || c.owner_stream, 'no claim on it')
    || ', so another customer can take it: ${RESTORE}' as what
  from json_to_recordset($1) as w (org uuid, kind text, key text, owner text)
    left join claims c on c.org = w.org and c.kind = w.kind and c.key = w.key
  where c.owner_stream is distinct from w.owner order by w.owner`;
