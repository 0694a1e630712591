import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CustomerDirectory } from '../../../customer/customer-directory.js';
import { DomainError, unknownId } from '../../../kernel/errors.js';
import { isUuid, type Uuid } from '../../../kernel/ids.js';
import { Caller, RequireScope } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { listOf, type WireOf } from '../../../platform/http/openapi/schema.js';
import { Page, RawQuery, type QueryParams } from '../../../platform/http/query/query-params.js';
import { Parking, type ParkedWork } from '../parking.js';
import { PARKED_WORK, presentParked } from './parked-work-schema.js';

type Resource = WireOf<typeof PARKED_WORK>;

const PAGE = { page: (q: QueryParams) => q.page({ default: 100, max: 1000 }) };

/** Due work of the organization that could not be done (docs/contract.md#parked-work). */
@Controller('api/parked_work')
export class ParkedWorkController {
  constructor(
    private readonly parking: Parking,
    private readonly directory: CustomerDirectory,
  ) {}

  @Get()
  @Operation({
    summary: 'Lists due work that could not be done, with its cause and next try, the oldest first.',
    answer: listOf(PARKED_WORK),
    query: PAGE,
  })
  async listParkedWork(@Caller() { org }: Caller, @RawQuery() query: QueryParams): Promise<Page<Resource>> {
    const { rows, nextCursor } = await this.parking.page(org, query.read(PAGE).page);
    return new Page(await this.present(org, rows), nextCursor);
  }

  @Post(':parked_id/retry')
  @HttpCode(200)
  @RequireScope('admin')
  @Operation({
    summary: 'Makes parked work due again, before its pause is over.',
    answer: PARKED_WORK,
  })
  async retryParkedWork(@Caller() { org }: Caller, @Param('parked_id') id: string): Promise<Resource> {
    const parked = isUuid(id) ? await this.parking.retryOne(org, id as Uuid) : undefined;
    if (!parked) throw new DomainError('not_found', unknownId('parked work'));
    return (await this.present(org, [parked]))[0]!;
  }

  private async present(org: Uuid, rows: readonly ParkedWork[]): Promise<Resource[]> {
    const keys = rows.flatMap(({ customerKey }) => customerKey ?? []);
    const summaries = await this.directory.summaries(org, keys);
    return rows.map((parked) => presentParked(parked, summaries.get(parked.customerKey ?? '')?.customer_id));
  }
}
