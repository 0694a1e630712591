import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CommandBus } from '@nestjs/cqrs';
import { READINESS, type Readiness } from '../platform/eventsourcing/read-models.js';
import { startManagementServer } from './management-server.js';
import { meterCommands } from './meter-commands.js';
import { meterRequests } from './meter-requests.js';
import { PrometheusMeter } from './prometheus-meter.js';
import { addStateGauges } from './state-gauges.js';

/** Management of a process with MANAGEMENT_PORT. Loaded only there: it brings the Prometheus client along. */
export class Management {
  readonly meter = new PrometheusMeter();
  #server: Server | undefined;
  #isClosed = false;

  /** Before routes are made: middleware stands in the order of its use. */
  measure(app: NestExpressApplication): void {
    app.use(meterRequests(this.meter));
    meterCommands(app.get(CommandBus), this.meter);
    addStateGauges(this.meter.registry, app, () => this.#isClosed);
  }

  async open(app: NestExpressApplication, port: number, host: string): Promise<void> {
    const readiness = app.get<Readiness>(READINESS);
    this.#server = await startManagementServer(port, host, readiness, this.meter.registry);
  }

  /** Before the stores: what a scrape has begun says nothing of their closing. */
  close(): void {
    this.#isClosed = true;
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  /** Where it listens. */
  get address(): AddressInfo | undefined {
    return (this.#server?.address() ?? undefined) as AddressInfo | undefined;
  }
}
