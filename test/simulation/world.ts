import type { Scheduler } from 'fast-check';
import { accountId } from '../../src/billing/decider/domain/account.js';
import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import type { PriceContent } from '../../src/pricing/price-content.js';
import { contentHash } from '../../src/kernel/canonical-json.js';
import {
  type DomainEvent,
  type RecordedEvent,
  categoryOf,
  streamName,
  type StreamCategory,
} from '../../src/kernel/event.js';
import { derivedId, namedId, type Uuid } from '../../src/kernel/ids.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import { FIRST_SETTINGS } from '../../src/organization/domain/organization.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { termDecider } from '../../src/subscription/domain/term-decider.js';
import type { TermState } from '../../src/subscription/domain/term-state.js';
import { DueRows } from './due-rows.js';
import { PlannedFaults } from './faults.js';
import { InMemoryReservations } from './in-memory-reservations.js';
import { InMemoryUsage } from './in-memory-usage.js';
import { SimulatedProcess } from './process.js';
import { customerKeysOf, type Shop } from './shop.js';

export const CURRENCY = 'USD';
const START = instant('2026-01-01T00:00:00Z');
export const PROCESSES = 2;

/** State that survives a process, and the processes. */
export class World {
  readonly org: Uuid;
  readonly customers: readonly Uuid[];
  readonly log = new InMemoryEventStore();
  readonly usage = new InMemoryUsage();
  readonly reservations = new InMemoryReservations((org, id) => this.#isUnwritten(org, id));
  readonly due = new DueRows(this.log);
  readonly faults = new PlannedFaults();
  now: Instant = START;
  readonly #processes: SimulatedProcess[] = [];
  #commands = 0;

  /** @param name of the organization; its ids derive from the name */
  constructor(
    readonly scheduler: Scheduler,
    private readonly name: string,
  ) {
    this.org = namedId(name);
    this.customers = customerKeysOf(this.org);
  }

  /** Writes the organization, its customers and its catalog. */
  async open({ taxRate, prorationBasis, plans, addons }: Shop): Promise<void> {
    const settings = {
      ...FIRST_SETTINGS,
      name: 'Simulated',
      defaultCurrency: CURRENCY,
      taxRate,
      prorationBasis,
    };
    await this.write('organization', 'settings', { type: 'OrganizationCreated', data: { settings } });
    for (const customerKey of this.customers) {
      const profile = { sealed: '', currency: CURRENCY, taxRate: null, country: null, paymentProvider: null };
      const data = { customerKey, ...profile, timezone: null };
      await this.write('customer', customerKey, { type: 'CustomerRegistered', data });
    }
    for (const { planId, content } of plans) await this.write('plan', planId, ...planEvents(planId, content));
    for (const { addonId, content, ...version } of addons) {
      const published = {
        ...version,
        content,
        contentHash: contentHash(content),
        features: [],
        createdAt: START,
      };
      const data = { addonId, name: addonId, description: null };
      const sold = { ...published, versionId: derivedId(addonId, 'version') };
      await this.write('addon', addonId, { type: 'AddonDefined', data: { ...data, version: sold } });
    }
  }

  /** Returns a living process. Starts processes that died again; each begins with a catch-up of its policies. */
  process(index: number): { process: SimulatedProcess; starting: Promise<void>[] } {
    const starting: Promise<void>[] = [];
    for (let place = 0; place < PROCESSES; place++) {
      if (this.#processes[place]?.outside.alive) continue;
      const started = (this.#processes[place] = new SimulatedProcess(this, `process ${place}:`));
      starting.push(started.worker.catchUp());
    }
    return { process: this.#processes[index % PROCESSES]!, starting };
  }

  newCommandId(): Uuid {
    return namedId(`${this.name} command ${this.#commands++}`);
  }

  async events(): Promise<RecordedEvent[]> {
    const all: RecordedEvent[] = [];
    for await (const event of this.log.readAll()) all.push(event);
    return all;
  }

  /** Folds every term of the log. */
  async terms(): Promise<Map<Uuid, TermState & { readonly revision: bigint }>> {
    const terms = new Map<Uuid, TermState & { readonly revision: bigint }>();
    for (const event of await this.events()) {
      if (categoryOf(event.stream) !== 'subscription') continue;
      const id = event.stream.slice(event.stream.indexOf('.') + 1);
      const state = termDecider.evolve(terms.get(id), event as never);
      if (state) terms.set(id, { ...state, revision: event.revision });
    }
    return terms;
  }

  async accountOf(invoiceId: Uuid): Promise<{ customerKey: Uuid; currency: string; invoiceId: Uuid }> {
    for (const event of await this.events()) {
      const { type, data } = event as unknown as AccountEvent;
      if (type !== 'InvoiceComputed' || data.invoiceId !== invoiceId) continue;
      return { customerKey: data.customerKey, currency: data.currency, invoiceId };
    }
    throw new Error(`no invoice ${invoiceId}`);
  }

  accountStream(customerKey: Uuid): string {
    return streamName('account', this.org, accountId(customerKey, CURRENCY));
  }

  private async write(category: StreamCategory, id: string, ...events: DomainEvent[]): Promise<void> {
    const metadata = {
      org: this.org,
      commandId: namedId(`${category} ${id}`),
      correlationId: 'shop',
      actor: 'system',
      recordedAt: START,
      schemaVersion: 1,
    };
    const written = events.map((event, n) => ({
      ...event,
      id: derivedId(metadata.commandId, `${n}`),
      metadata,
    }));
    await this.log.append(streamName(category, this.org, id), 'no_stream', written);
  }

  /**
   * Returns whether a reservation is free because its term was not written. The service waits a minute for the term; here
   * this minute ends when the world comes to rest.
   */
  async #isUnwritten(org: Uuid, subscriptionId: Uuid): Promise<boolean> {
    const stream = streamName('subscription', org, subscriptionId);
    for await (const event of this.log.readStream(stream, { limit: 1 })) if (event) return false;
    return this.faults.areOver;
  }
}

function planEvents(planId: Uuid, content: PriceContent): DomainEvent[] {
  const version = {
    versionId: derivedId(planId, 'version'),
    number: 1,
    content,
    contentHash: contentHash(content),
    localizedName: null,
    dayAnchor: null,
    monthAnchor: null,
    targetCustomerKeys: [],
    features: [],
    activeFrom: START,
    createdAt: START,
  };
  const plan = { planId, name: planId, description: null, tags: [], externalLinks: [], createdAt: START };
  return [
    { type: 'PlanCreated', data: { ...plan, duration: 'monthly' } },
    { type: 'PlanVersionPublished', data: { planId, version } },
  ];
}
