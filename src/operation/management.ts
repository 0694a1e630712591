import { CommandBus, type ICommand } from '@nestjs/cqrs';
import { DomainError } from '../kernel/errors.js';
import { IngestUsage } from '../metering/commands/ingest-usage.js';
import type { IngestOutcome } from '../metering/domain/ingestion.js';
import { PrometheusMeter } from './prometheus-meter.js';
import type { NextFunction, Request, Response } from 'express';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { READINESS, type Readiness } from '../platform/eventsourcing/read-models.js';
import { Warnings } from '../platform/telemetry/warnings.js';
import { startManagementServer } from './management-server.js';
import { addStateGauges } from './state-gauges.js';

/** Measures every command of the bus, whichever caller issued it. */
function meterCommands(bus: CommandBus, meter: PrometheusMeter): void {
  const execute = bus.execute.bind(bus) as (command: ICommand) => Promise<unknown>;
  bus.execute = async (command: ICommand): Promise<never> => {
    const began = performance.now();
    let outcome = 'done';
    try {
      const result = await execute(command);
      if (command instanceof IngestUsage) {
        const { accepted, failed } = result as IngestOutcome;
        meter.ingested(accepted, failed);
      }
      return result as never;
    } catch (error) {
      outcome = error instanceof DomainError ? error.code : 'failed';
      throw error;
    } finally {
      meter.commanded(command.constructor.name, outcome, (performance.now() - began) / 1000);
    }
  };
}

/** Measures every answer, by the pattern of its route, because paths contain customers' ids. */
const meterRequests =
  (meter: PrometheusMeter) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const began = performance.now();
    response.on('finish', () => {
      const route = (request.route as { path?: unknown } | undefined)?.path;
      meter.answered(
        request.method,
        typeof route === 'string' ? route : 'none',
        response.statusCode,
        (performance.now() - began) / 1000,
      );
    });
    next();
  };

/**
 * Metrics and health of a process with MANAGEMENT_PORT. Other processes load neither this nor the Prometheus
 * client.
 */
export class Management {
  readonly meter = new PrometheusMeter();
  #server: Server | undefined;
  #isClosed = false;

  /**
   * Adds the measuring middleware. Call it before routes are registered, because middleware runs in that
   * order.
   */
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
