import type { INestApplicationContext } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { Doctor } from '../audit/doctor/doctor.js';
import { nowOf } from '../audit/doctor/invariants.js';
import { DAY, plusMicros } from '../kernel/instant.js';
import { CLOCK, type ServiceClock } from '../platform/clock/clock.js';
import { Database } from '../platform/database/open-database.js';
import { EVERY_ORGANIZATION, READINESS, type Readiness } from '../platform/eventsourcing/read-models.js';
import { LOGGER, type Logger } from '../platform/telemetry/logger.js';

/** Shortest interval between two runs of the doctor on recent data. No scrape waits for it. */
const DOCTOR_EVERY_MS = 10 * 60_000;
const DOCTOR_SAMPLE = 20;
const DOCTOR_WINDOW = 7n * DAY;

/** Gauges that a scrape queries, each by an index. $1 and $2: the clocks that rule billing (`nowOf`). */
const QUERIES = [
  {
    name: 'recount_billing_due',
    help: 'Accounts whose billing is due now; late: for more than 15 minutes',
    labels: ['late'] as const,
    sql: `select (d.due_at + case when d.graced then g.late_event_grace_minutes else 0 end * interval '1 minute'
        <= ${nowOf('d.org')} - interval '15 minutes')::text as late,
      count(distinct (d.org, d.customer_key, d.currency)) as value
      from due_billing d join billing_grace g using (org)
      where d.due_at + case when d.graced then g.late_event_grace_minutes else 0 end * interval '1 minute' <= ${nowOf('d.org')}
        and d.due_at <= $1 group by 1`,
  },
  {
    name: 'recount_billing_parked',
    help: 'Due work that could not be done and is tried again',
    labels: ['kind'] as const,
    sql: `select kind, count(*) as value from parked_work
      where resolved_at is null and $1::timestamptz is not null group by kind`,
  },
  {
    name: 'recount_projection_parked_streams',
    help: 'Streams that a read model leaves out, as one of their events cannot be applied',
    labels: ['projection'] as const,
    sql: `select projection, count(*) as value from projection_parked_streams p
      join projection_checkpoints c using (projection, version)
      where c.live and $1::timestamptz is not null group by projection`,
  },
  {
    name: 'recount_read_model_differences',
    help: 'Read models of an organization that the last comparison with the log found to be other than the log says',
    labels: ['read_model', 'organization'] as const,
    sql: `select d.table_name as read_model, coalesce('org_' || replace(nullif(d.org::text, '${EVERY_ORGANIZATION}'), '-', ''), '') as organization, 1 as value
      from read_model_differences d left join projection_checkpoints c using (projection, version)
      where (c.live or version = 0) and $1::timestamptz is not null`,
  },
  {
    name: 'recount_foreign_events',
    help: 'Events of the log that this service did not write and leaves out',
    labels: [] as const,
    sql: `select count(*) as value from foreign_events where $1::timestamptz is not null having count(*) > 0`,
  },
  {
    name: 'recount_webhook_deliveries',
    help: 'Deliveries that no endpoint has taken: pending, failing (tried in vain and tried again) or dead',
    labels: ['state'] as const,
    sql: `select case when attempts > 0 then 'failing' else 'pending' end as state, count(*) as value
      from webhook_deliveries where status = 'pending' and $1::timestamptz is not null group by 1
      union all select 'dead', count(*) from webhook_deliveries where status = 'dead'`,
  },
];

/** Adds gauges of the stores; a scrape fills them. */
export function addStateGauges(
  registry: Registry,
  app: INestApplicationContext,
  isEnding: () => boolean,
): void {
  const { pool } = app.get(Database);
  const clock = app.get<ServiceClock>(CLOCK);
  for (const { name, help, labels, sql } of QUERIES) {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        const { latest, own } = await clock.all();
        const values = sql.includes('$2') ? [latest, JSON.stringify(own)] : [latest];
        const { rows } = await pool.query<Record<string, string>>(sql, values);
        this.reset();
        for (const { value, ...names } of rows) this.set(names, Number(value));
      },
    });
  }
  const readiness = app.get<Readiness>(READINESS);
  new Gauge({
    name: 'recount_projection_lag_seconds',
    help: 'For how long a read model has been without something that is stored',
    labelNames: ['projection'],
    registers: [registry],
    collect() {
      for (const [projection, seconds] of readiness.lagSeconds()) this.set({ projection }, seconds);
    },
  });
  addDoctor(registry, app, isEnding);
}

/** Adds the findings of the last run of the doctor; a scrape starts the next run when they are old. */
function addDoctor(registry: Registry, app: INestApplicationContext, isEnding: () => boolean): void {
  const doctor = app.get(Doctor, { strict: false });
  const clock = app.get<ServiceClock>(CLOCK);
  const log = app.get<Logger>(LOGGER);
  const findings = new Map<string, number>();
  let startedAt = -Infinity;
  const examine = async (): Promise<void> => {
    const since = plusMicros((await clock.all()).latest, -DOCTOR_WINDOW);
    for await (const { invariant, violations } of doctor.examine(DOCTOR_SAMPLE, since)) {
      // Returns the name without the size of the sample.
      findings.set(invariant.replace(/ \(.*/, ''), violations.length);
    }
  };
  new Gauge({
    name: 'recount_doctor_findings',
    help: 'Broken invariants, as recount doctor finds them; looked for every 10 minutes while somebody asks; numbers, credits and invoices of the last 7 days',
    labelNames: ['invariant'],
    registers: [registry],
    collect() {
      if (performance.now() - startedAt > DOCTOR_EVERY_MS) {
        startedAt = performance.now();
        examine().catch((err: unknown) => {
          // The event store closes before the connections.
          if (isEnding()) return;
          log.warn({ err }, 'The doctor could not check every invariant.');
        });
      }
      for (const [invariant, count] of findings) this.set({ invariant }, count);
    },
  });
}
