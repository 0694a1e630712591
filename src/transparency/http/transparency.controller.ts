import { Controller, Get, Post, StreamableFile } from '@nestjs/common';
import { QueryBus, CommandBus } from '@nestjs/cqrs';
import { invalidFields } from '../../kernel/errors.js';
import { formatInstant } from '../../kernel/instant.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { pageOf } from '../../platform/database/cursor.js';
import { Caller, Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { file, listOf, type WireOf } from '../../platform/http/openapi/schema.js';
import { Page, RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { cosignedNote } from '../checkpoint-rows.js';
import { SignCheckpoint } from '../commands/sign-checkpoint.js';
import { toBase64 } from '../domain/bytes.js';
import {
  GetConsistency,
  GetLatestCheckpoint,
  ListCheckpoints,
  presentCheckpoint,
} from '../queries/checkpoint-queries.js';
import { GetProof } from '../queries/get-proof.js';
import { ListSigningKeys } from '../queries/list-signing-keys.js';
import type { Subject } from '../queries/proofs.js';
import { CHECKPOINT, CONSISTENCY, SIGNING_KEY } from './transparency-schema.js';

const PAGE = { page: (q: QueryParams) => q.page({ default: 100, max: 1000 }) };
const PROOF = {
  position: (q: QueryParams) => q.count('position'),
  invoiceId: (q: QueryParams) => q.id('invoice_id', 'invoice'),
  usageEventId: (q: QueryParams) => q.one('usage_event_id'),
  stream: (q: QueryParams) => q.one('stream'),
  revision: (q: QueryParams) => {
    const revision = q.count('revision');
    return q.one('stream') === undefined ? revision : q.required('revision', revision);
  },
};
const SIZES = {
  from: (q: QueryParams) => q.required('from', q.count('from')),
  to: (q: QueryParams) => q.count('to'),
};

/** Transparency log of the organization (docs/transparency-log.md). */
@Controller('api/audit')
export class TransparencyController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('keys')
  @Operation({
    summary: 'Lists the public keys that checkpoints of the organization are signed with, the oldest first.',
    answer: listOf(SIGNING_KEY),
    query: PAGE,
  })
  async listSigningKeys(@Caller() { org }: Caller, @RawQuery() query: QueryParams) {
    const keys = await this.queries.execute(new ListSigningKeys(org));
    const { rows, nextCursor } = pageOf(keys, PAGE.page(query), ({ firstUsedAt: at, id }) => ({ at, id }));
    return new Page<WireOf<typeof SIGNING_KEY>>(
      rows.map(({ shown, firstUsedAt, lastUsedAt }) => ({
        ...shown,
        first_used_at: formatInstant(firstUsedAt),
        last_used_at: formatInstant(lastUsedAt),
      })),
      nextCursor,
    );
  }

  @Get('checkpoints')
  @Operation({
    summary: 'Lists the checkpoints of the organization, the newest first.',
    answer: listOf(CHECKPOINT),
    query: PAGE,
  })
  async listCheckpoints(@Caller() { org }: Caller, @RawQuery() query: QueryParams) {
    const { rows, nextCursor } = await this.queries.execute(new ListCheckpoints(org, PAGE.page(query)));
    return new Page(rows.map(presentCheckpoint), nextCursor);
  }

  @Get('checkpoints/latest')
  @Operation({
    summary: 'Returns the newest checkpoint as a signed note.',
    answer: file(),
    mediaType: 'text/plain',
    refusals: { 404: 'There is no checkpoint yet.' },
  })
  async getLatestCheckpoint(@Caller() { org }: Caller): Promise<StreamableFile> {
    return plainText(cosignedNote(await this.queries.execute(new GetLatestCheckpoint(org))));
  }

  /** Covers everything stored so far; returns the newest checkpoint when nothing was added since. */
  @Post('checkpoints')
  @Operation({ summary: 'Signs a checkpoint over everything stored so far.', answer: CHECKPOINT })
  async createCheckpoint(@Ctx() { org }: CommandContext) {
    return presentCheckpoint(await this.commands.execute(new SignCheckpoint(org)));
  }

  @Get('proofs')
  @Operation({
    summary:
      'Proves that an event, invoice or usage event is in the newest checkpoint, as C2SP tlog-proof text.',
    answer: file(),
    mediaType: 'text/plain',
    query: PROOF,
  })
  async getInclusionProof(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<StreamableFile> {
    return plainText(await this.queries.execute(new GetProof(org, subjectOf(query))));
  }

  @Get('consistency')
  @Operation({
    summary: 'Proves that the tree of one size begins with the tree of an earlier size.',
    answer: CONSISTENCY,
    query: SIZES,
  })
  async getConsistencyProof(@Caller() { org }: Caller, @RawQuery() query: QueryParams) {
    const sizes = query.read(SIZES);
    const { from, to, fromRoot, toRoot, hashes } = await this.queries.execute(
      new GetConsistency(org, sizes.from, sizes.to),
    );
    return {
      from,
      to,
      from_root: toBase64(fromRoot),
      to_root: toBase64(toRoot),
      hashes: hashes.map(toBase64),
    };
  }
}

function subjectOf(query: QueryParams): Subject {
  const { position, invoiceId, usageEventId, stream, revision } = query.read(PROOF);
  const given: Subject[] = [];
  if (position !== undefined) given.push({ position });
  if (invoiceId !== undefined) given.push({ invoiceId });
  if (usageEventId !== undefined) given.push({ usageEventId });
  if (stream !== undefined && revision !== undefined) given.push({ stream, revision });
  const [subject, ...more] = given;
  if (subject && more.length === 0) return subject;
  const detail =
    'The request does not name one subject. Give position, invoice_id, usage_event_id, or stream with revision.';
  throw invalidFields({ code: 'invalid', detail, attr: 'non_field_errors' });
}

const plainText = (text: string): StreamableFile =>
  new StreamableFile(Buffer.from(text), { type: 'text/plain; charset=utf-8' });
