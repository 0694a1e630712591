import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck: { readonly test: readonly string[] };
  readonly volumes: readonly string[];
}

const file = path.resolve(import.meta.dirname, '../../docker-compose.yml');
const compose = parse(readFileSync(file, 'utf8')) as {
  services: Record<'eventstore' | 'postgres' | 'recount', Service>;
  volumes: Record<string, unknown>;
};

describe('docker-compose.yml', () => {
  const { eventstore, postgres, recount } = compose.services;

  it('runs the service on EventStoreDB 23.10 and PostgreSQL', () => {
    expect(eventstore.image).toMatch(/^eventstore\/eventstore:23\.10/);
    expect(postgres.image).toMatch(/^postgres:\d+/);
    expect(new URL(recount.environment.EVENTSTORE_URL!).hostname).toBe('eventstore');
    expect(recount.environment.DATABASE_URL).toMatch(
      /^postgres:\/\/recount:\$\{POSTGRES_PASSWORD[^}]*\}@postgres:5432\/recount/,
    );
  });

  it('starts again what has ended by itself', () => {
    expect(Object.values(compose.services).map(({ restart }) => restart)).toEqual(
      Array(3).fill('unless-stopped'),
    );
  });

  it('starts the service once both stores are healthy', () => {
    expect(recount.depends_on).toEqual({
      eventstore: { condition: 'service_healthy' },
      postgres: { condition: 'service_healthy' },
    });
    for (const service of Object.values(compose.services))
      expect(service.healthcheck.test[0]).toBe('CMD-SHELL');
  });

  it('asks the management port whether the service is ready, and gives a stop its time', () => {
    expect(recount.build).toBe('.');
    const port = recount.environment.MANAGEMENT_PORT;
    expect(recount.healthcheck.test[1]).toContain(`http://127.0.0.1:${port}/readiness`);
    expect(recount.stop_grace_period).toBe('10s');
  });

  it('keeps both stores on named volumes, and no secret in the file', () => {
    expect(Object.keys(compose.volumes).sort()).toEqual(['eventstore', 'postgres']);
    for (const name of ['POSTGRES_PASSWORD', 'MASTER_KEY', 'API_KEY'])
      expect(readFileSync(file, 'utf8')).toContain(`\${${name}:?`);
  });
});
