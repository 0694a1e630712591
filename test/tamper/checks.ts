import { Doctor } from '../../src/audit/doctor/doctor.js';
import { outputText, type Output } from '../../src/cli/output.js';
import { openTools } from '../../src/cli/tools.js';
import { verifyInvoices } from '../../src/cli/verify-invoices.js';
import { FIRST_ORGANIZATION } from '../../src/organization/first-organization.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import type { SignedHead } from '../../src/transparency/tree-audit.js';

/**
 * A check that finds changes. Two parts of `doctor` count separately: read models, which an attacker can rebuild from
 * a changed log, and exported checkpoints.
 */
export type Means = 'verify' | 'verify --all' | 'doctor' | 'read models' | 'checkpoint';
export const MEANS: readonly Means[] = ['verify', 'verify --all', 'doctor', 'read models', 'checkpoint'];

/** Reports of the checks that found something. */
export type Findings = ReadonlyMap<Means, readonly string[]>;

type Printed = AsyncGenerator<Output, boolean>;

/** Runs every check as an auditor does, in a new application without state from before the change. */
export async function findingsIn(
  databaseUrl: string,
  invoices: readonly string[],
  exportedCheckpoints: readonly SignedHead[],
): Promise<Findings> {
  const env = { DATABASE_URL: databaseUrl, MASTER_KEY: '0'.repeat(64), CLOCK: 'manual', LOG_LEVEL: 'silent' };
  const tools = await openTools(readConfig(env));
  try {
    const findings = new Map<Means, readonly string[]>();
    const found = (means: Means, report: readonly string[]) =>
      report.length > 0 && findings.set(means, report);
    const { app } = tools;
    found('verify', await reportOf(() => verifyInvoices(app, { org: FIRST_ORGANIZATION, names: invoices })));
    found('verify --all', await reportOf(() => verifyInvoices(app, 'all')));
    const violations = {
      doctor: [] as string[],
      'read models': [] as string[],
      checkpoint: [] as string[],
    };
    try {
      const doctor = app.get(Doctor, { strict: false });
      for await (const examined of doctor.examine(1_000, undefined, exportedCheckpoints)) {
        violations[meansOf(examined.invariant)].push(...examined.violations);
      }
    } catch (error) {
      violations.doctor.push(failure(error));
    }
    for (const means of ['doctor', 'read models', 'checkpoint'] as const) found(means, violations[means]);
    return findings;
  } finally {
    await tools.close();
  }
}

const meansOf = (invariant: string) =>
  /read model/.test(invariant) ? 'read models' : /kept checkpoints/.test(invariant) ? 'checkpoint' : 'doctor';

/**
 * Runs a command and returns its report; empty when it found nothing. A failure counts as a finding, as its exit code
 * is 2.
 */
async function reportOf(command: () => Printed): Promise<string[]> {
  const lines: string[] = [];
  try {
    for (const printed = command(); ;) {
      const { done, value } = await printed.next();
      if (done) return value ? [] : lines;
      lines.push(...(outputText(value, false)?.split('\n') ?? []));
    }
  } catch (error) {
    return [...lines, failure(error)];
  }
}

export const failure = (error: unknown): string =>
  `failed: ${error instanceof Error ? error.message : String(error)}`;
