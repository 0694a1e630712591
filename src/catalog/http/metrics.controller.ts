import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Caller, Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf } from '../../platform/http/openapi/schema.js';
import { Page, RawQuery, QueryParams } from '../../platform/http/query/query-params.js';
import { ArchiveMetric } from '../commands/archive-metric.js';
import { DefineMetric } from '../commands/define-metric.js';
import { checkMetric } from '../domain/metric-definition.js';
import { GetMetric, ListMetrics } from '../queries/metrics.js';
import { CreateMetricBody, toMetricProposal } from './metric.body.js';
import { pathId } from './fields.js';
import { METRIC, presentMetric } from '../present-metric.js';
import { readFields, refuseFaults } from './read-fields.js';

const PAGE = { page: (q: QueryParams) => q.page({ default: 1000, max: 1000 }) };

@Controller('api/metrics')
export class MetricsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Operation({ summary: 'Defines a metric.', answer: METRIC, body: CreateMetricBody })
  async createMetric(@Ctx() context: CommandContext, @Body() raw: object) {
    const read = readFields(CreateMetricBody, raw);
    const proposal = toMetricProposal(read.body, read.isFaulty);
    const metricType = read.isFaulty('metric_type') ? undefined : proposal.metricType;
    refuseFaults(read, checkMetric({ ...proposal, metricType }));
    const name = read.body.metric_name;
    return presentMetric(await this.commands.execute(new DefineMetric(context, { name, proposal })));
  }

  @Get()
  @Operation({ summary: 'Lists the metrics.', answer: listOf(METRIC), query: PAGE })
  async listMetrics(@Caller() caller: Caller, @RawQuery() query: QueryParams) {
    const page = PAGE.page(query);
    const { rows, nextCursor } = await this.queries.execute(new ListMetrics(caller.org, page));
    return new Page(rows.map(presentMetric), nextCursor);
  }

  @Get(':metric_id')
  @Operation({ summary: 'Returns a metric.', answer: METRIC })
  async getMetric(@Caller() caller: Caller, @Param('metric_id') metricId: string) {
    return presentMetric(await this.queries.execute(new GetMetric(caller.org, pathId('metric', metricId))));
  }

  @Post(':metric_id/archive')
  @HttpCode(200)
  @Operation({ summary: 'Archives a metric that nothing needs any more.', answer: METRIC })
  async archiveMetric(@Ctx() context: CommandContext, @Param('metric_id') metricId: string) {
    return presentMetric(await this.commands.execute(new ArchiveMetric(context, pathId('metric', metricId))));
  }
}
