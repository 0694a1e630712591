/** The raw ceiling of a command over HTTP: Nest on the same adapter, one handler, one durable insert, nothing else. */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Body, Controller, Inject, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';

@Controller('bare')
class BareController {
  constructor(@Inject(pg.Pool) private readonly pool: pg.Pool) {}

  @Post()
  async insert(@Body() body: object): Promise<object> {
    const id = randomUUID();
    await this.pool.query({
      name: 'bare-insert',
      text: 'insert into bare (id, body) values ($1, $2)',
      values: [id, JSON.stringify(body)],
    });
    return { id, ...body };
  }
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 20 });
await pool.query('create table bare (id uuid primary key, body json not null)');

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
