import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { Meter } from '../platform/telemetry/meter.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Meter of a process that Prometheus scrapes. No label names a tenant, a customer or a key. */
export class PrometheusMeter implements Meter {
  readonly registry = new Registry();
  private readonly appends: Histogram<'outcome'>;
  private readonly batches: Histogram<'projection' | 'outcome'>;
  private readonly projectedEvents: Counter<'projection'>;
  private readonly commands: Histogram<'command' | 'outcome'>;
  private readonly usage: Counter<'outcome'>;
  private readonly requests: Histogram<'method' | 'route' | 'status'>;

  constructor() {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    const histogram = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new Histogram({ name, help, labelNames, buckets: SECONDS, registers });
    const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers });

    this.appends = histogram('recount_append_seconds', 'Appends to the event log, by outcome', ['outcome']);
    this.batches = histogram(
      'recount_projection_batch_seconds',
      'Batches of events applied to a read model',
      ['projection', 'outcome'],
    );
    this.projectedEvents = counter('recount_projection_events_total', 'Events that a read model has passed', [
      'projection',
    ]);
    this.commands = histogram('recount_command_seconds', 'Commands, by what became of them', [
      'command',
      'outcome',
    ]);
    this.usage = counter('recount_usage_events_total', 'Usage events that were sent', ['outcome']);
    this.requests = histogram('recount_http_request_seconds', 'Requests, by route and status', [
      'method',
      'route',
      'status',
    ]);
  }

  appended(outcome: string, seconds: number): void {
    this.appends.observe({ outcome }, seconds);
  }

  projected(projection: string, outcome: 'applied' | 'failed', events: number, seconds: number): void {
    this.batches.observe({ projection, outcome }, seconds);
    if (outcome === 'applied') this.projectedEvents.inc({ projection }, events);
  }

  /** @param outcome `done`, the code of a refusal, or `failed` */
  commanded(command: string, outcome: string, seconds: number): void {
    this.commands.observe({ command, outcome }, seconds);
  }

  ingested(accepted: number, failed: number): void {
    this.usage.inc({ outcome: 'accepted' }, accepted);
    this.usage.inc({ outcome: 'failed' }, failed);
  }

  answered(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status: String(status) }, seconds);
  }
}
