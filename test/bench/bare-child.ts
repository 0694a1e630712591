/**
 * The ceiling of a command over HTTP: Nest, one handler and one durable insert of a row as large as the event that
 * the command appends.
 */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Body, Controller, Inject, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { EVENTS_MIGRATION } from '../../src/platform/eventsourcing/store/postgres/tables.js';

const ORG = randomUUID();
const ACTOR = randomUUID();
let position = 0;

interface FeatureBody {
  readonly feature_name: string;
  readonly feature_description: string;
}

@Controller('bare')
class BareController {
  constructor(@Inject(pg.Pool) private readonly pool: pg.Pool) {}

  @Post()
  async insert(@Body() body: FeatureBody): Promise<object> {
    const id = randomUUID();
    const data = { featureId: id, name: body.feature_name, description: body.feature_description };
    const metadata = {
      org: ORG,
      commandId: id,
      correlationId: id,
      actor: ACTOR,
      recordedAt: '2026-01-01T00:00:00.000000Z',
      schemaVersion: 1,
    };
    const row = [`feature-${ORG}.${id}`, id, JSON.stringify(data), JSON.stringify(metadata)];
    await this.pool.query({
      name: 'bare-insert',
      text: `insert into events (position, stream, revision, id, type, data, metadata)
        values ($1, $2, 0, $3, 'FeatureDefined', $4, $5)`,
      values: [(position += 1), ...row],
    });
    return { feature_id: id, ...body };
  }
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 20 });
await pool.query(EVENTS_MIGRATION);

@Module({ controllers: [BareController], providers: [{ provide: pg.Pool, useValue: pool }] })
class BareModule {}

const parent = once(process, 'disconnect');
const app = await NestFactory.create(BareModule, { logger: false });
await app.listen(0, '127.0.0.1');
process.send!(await app.getUrl());
await parent;
await app.close();
await pool.end();
process.exit(0);
