import { DomainError } from '../kernel/errors.js';
import { describeSchemaFault } from '../platform/database/schema-faults.js';

/** Describes why a command could not be executed. */
export function failureText(error: unknown): string {
  const fault = describeSchemaFault(error);
  if (fault !== undefined) return `${fault[0]!.toUpperCase()}${fault.slice(1)}.`;
  if (error instanceof DomainError) return error.detail;
  return error instanceof Error ? error.message : String(error);
}
