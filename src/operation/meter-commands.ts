import type { CommandBus, ICommand } from '@nestjs/cqrs';
import { DomainError } from '../kernel/errors.js';
import { IngestUsage } from '../metering/commands/ingest-usage.js';
import type { IngestOutcome } from '../metering/domain/ingestion.js';
import type { PrometheusMeter } from './prometheus-meter.js';

/** Measures every command of the bus, whatever issued it. */
export function meterCommands(bus: CommandBus, meter: PrometheusMeter): void {
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
