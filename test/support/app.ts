import type TestAgent from 'supertest/lib/agent.js';
import type { Uuid } from '../../src/kernel/ids.js';

export interface TestApp {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** An admin key of the first organization. */
  readonly key: string;
  readonly org: Uuid;
  /** supertest bound to the service, with the key in its header. */
  readonly request: TestAgent;
  /** Moves the manual clock as POST /api/test_clock/advance/ does. */
  advance(to: string): Promise<void>;
  /** Stops the service and drops its database. */
  stop(): Promise<void>;
}

export interface TestAppOptions {
  /** Where the manual clock starts; default 2026-01-01T00:00:00Z. */
  readonly clockStart?: string;
  /** Further environment variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The real service in this process, over HTTP, on a test database. */
export async function startTestApp(_options: TestAppOptions = {}): Promise<TestApp> {
  throw new Error('not yet');
}
