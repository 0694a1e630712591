import { Controller, Get } from '@nestjs/common';
import { formatInstant, parseInstant } from '../../kernel/instant.js';
import { Caller } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import {
  integer,
  listOf,
  named,
  noted,
  nullable,
  object,
  oneOf,
  text,
  type WireOf,
} from '../../platform/http/openapi/schema.js';
import { dateTime } from '../../platform/http/openapi/values.js';
import { LONG_READ_COST, RequestCost } from '../../platform/http/rate-limits/rate-limits.js';
import { ReadModelDistances, type ReadModelDistance } from '../queries/read-model-distances.js';

const STATES = ['level', 'behind', 'stopped'] as const;

const READ_MODEL = named(
  'ReadModel',
  object({
    name: text({ description: 'Name of the projection that fills the read model.' }),
    state: noted(oneOf(STATES), {
      description:
        '`level`: it has every event of the organization. `behind`: it lacks some and goes on. `stopped`: it applies nothing until an operator has looked at it.',
    }),
    events_behind: integer({
      minimum: 0,
      maximum: 1_000,
      description: 'Events of the organization that it lacks; at most 1,000 are counted.',
    }),
    behind_since: nullable(
      noted(dateTime(), { description: 'When the first of them was recorded; null: it lacks none.' }),
    ),
    left_out: noted(
      listOf(
        named(
          'LeftOutStream',
          object({
            stream: text({ description: 'Stream of the organization.' }),
            revision: integer({ minimum: 0, description: 'Its first event that is not applied.' }),
            since: noted(dateTime(), { description: 'When applying it failed.' }),
          }),
        ),
      ),
      { description: 'Streams that the read model leaves out, because an event could not be applied.' },
    ),
  }),
);

/** Wire shape of the distances. The list is not paged: there are as many entries as projections. */
const READ_MODELS = named(
  'ReadModels',
  object({ read_models: noted(listOf(READ_MODEL), { description: 'Every read model.' }) }),
);

/** Distances of the read models from the log (docs/contract.md#read-models). */
@Controller('api/read_models')
export class ReadModelsController {
  constructor(private readonly distances: ReadModelDistances) {}

  @Get()
  @RequestCost(LONG_READ_COST)
  @Operation({
    summary: 'Returns the read models with their distance from the log, in events of the organization.',
    answer: READ_MODELS,
    noPast: 'How far the read models have come is the state of the running service.',
  })
  async getReadModels(@Caller() { org }: Caller): Promise<WireOf<typeof READ_MODELS>> {
    return { read_models: (await this.distances.read(org)).map(present) };
  }
}

const present = (one: ReadModelDistance): WireOf<typeof READ_MODEL> => ({
  name: one.name,
  state: one.isStopped ? 'stopped' : one.eventsBehind > 0 ? 'behind' : 'level',
  events_behind: one.eventsBehind,
  behind_since: one.behindSince === undefined ? null : formatInstant(one.behindSince),
  left_out: one.leftOut.map(({ stream, revision, parked_at: at }) => ({
    stream,
    revision: Number(revision),
    since: formatInstant(parseInstant(at)!),
  })),
});
