import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CommandBus } from '@nestjs/cqrs';
import { READINESS, type Readiness } from '../platform/eventsourcing/read-models.js';
import { Warnings } from '../platform/telemetry/warnings.js';
import { startManagementServer } from './management-server.js';
import { meterCommands } from './meter-commands.js';
import { meterRequests } from './meter-requests.js';
import { PrometheusMeter } from './prometheus-meter.js';
import { addStateGauges } from './state-gauges.js';

/** Metrics and health of a process with MANAGEMENT_PORT. Other processes do not load it, nor the Prometheus client. */
export class Management {
  readonly meter = new PrometheusMeter();
  #server: Server | undefined;
  #isClosed = false;

  /** Adds the measuring middleware. Call it before routes are registered, as middleware runs in that order. */
  measure(app: NestExpressApplication): void {
    app.use(meterRequests(this.meter));
    meterCommands(app.get(CommandBus), this.meter);
    addStateGauges(this.meter.registry, app, () => this.#isClosed);
  }

  async open(app: NestExpressApplication, port: number, host: string): Promise<void> {
    const readiness = app.get<Readiness>(READINESS);
    this.#server = await startManagementServer(port, host, readiness, app.get(Warnings), this.meter.registry);
  }

  /** Closes the server. Call it before the stores close, so that no scrape reports their closing as a failure. */
  close(): void {
    this.#isClosed = true;
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  /** Address that the server listens on. */
  get address(): AddressInfo | undefined {
    return (this.#server?.address() ?? undefined) as AddressInfo | undefined;
  }
}
