import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { formatInstant, type Instant } from '../../kernel/instant.js';
import { KEY_SCOPES, type KeyScope, Caller, Ctx, RequireScope } from '../../platform/http/auth/caller.js';
import { IsInstantText } from '../../platform/http/validation/validators.js';
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { pageOf } from '../../platform/database/cursor.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf } from '../../platform/http/openapi/schema.js';
import { Page, type QueryParams, RawQuery } from '../../platform/http/query/query-params.js';
import { OneTimeSecret } from '../../platform/http/idempotency/idempotency-keys.js';
import type { ApiKey, CreatedApiKey } from '../api-keys/api-keys.js';
import { CreateApiKey, RevokeApiKey, RotateApiKey } from '../commands/api-keys.js';
import { ListApiKeys } from '../queries/list-api-keys.js';
import { API_KEY, NEW_API_KEY } from './api-key-schema.js';

export class CreateApiKeyBody {
  @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  @IsOptional() @IsIn(KEY_SCOPES) scope?: KeyScope;
  @IsOptional() @IsInstantText() expires_at?: Instant;
}

const PAGE = { page: (q: QueryParams) => q.page({ default: 1000, max: 1000 }) };

@Controller('api/api_keys')
@RequireScope('admin')
export class ApiKeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Operation({
    summary: 'Lists the API keys, without their secrets.',
    answer: listOf(API_KEY),
    query: PAGE,
  })
  async listApiKeys(@Caller() { org }: Caller, @RawQuery() query: QueryParams) {
    const all = await this.queries.execute(new ListApiKeys(org));
    const { rows, nextCursor } = pageOf(all, PAGE.page(query), ({ created_at: at, id }) => ({ at, id }));
    return new Page(rows.map(present), nextCursor);
  }

  /** Only this answer contains the text of the key; a repeat under the same Idempotency-Key has null. */
  @Post()
  @Operation({
    summary: 'Creates an API key and shows it this once.',
    answer: NEW_API_KEY,
    body: CreateApiKeyBody,
  })
  async createApiKey(@Ctx() context: CommandContext, @Body() { name, scope, expires_at }: CreateApiKeyBody) {
    const input = { name, scope: scope ?? 'write', expiresAt: expires_at ?? null };
    return presentNew(await this.commands.execute(new CreateApiKey(context, input)));
  }

  @Post(':prefix/rotate')
  @HttpCode(200)
  @Operation({
    summary: 'Replaces an API key, which is refused at once, and shows the new one this once.',
    answer: NEW_API_KEY,
  })
  async rotateApiKey(@Ctx() context: CommandContext, @Param('prefix') prefix: string) {
    return presentNew(await this.commands.execute(new RotateApiKey(context, prefix)));
  }

  @Post(':prefix/revoke')
  @HttpCode(200)
  @Operation({ summary: 'Revokes an API key: it is refused at once.', answer: API_KEY })
  async revokeApiKey(@Ctx() context: CommandContext, @Param('prefix') prefix: string) {
    return present(await this.commands.execute(new RevokeApiKey(context, prefix)));
  }
}

export const presentNew = ({ apiKey, key }: CreatedApiKey) => ({
  ...present(apiKey),
  key: key === undefined ? null : new OneTimeSecret(key),
});

const present = ({ name, prefix, scope, created_at, expires_at, revoked_at }: ApiKey) => ({
  name,
  prefix,
  scope,
  created_at: formatInstant(created_at),
  expires_at: expires_at && formatInstant(expires_at),
  revoked_at: revoked_at && formatInstant(revoked_at),
});
