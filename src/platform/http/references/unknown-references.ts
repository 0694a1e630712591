import { Inject, Injectable, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError, invalidFields, unknownId, type FieldError } from '../../../kernel/errors.js';
import { kindName, type Uuid } from '../../../kernel/ids.js';
import { forEachConcurrent } from '../../concurrency/limits.js';
import { EVENT_STORE, type EventStore } from '../../eventsourcing/store/event-store.js';
import { stateOf } from '../auth/caller.js';
import { EtagLocators } from '../etag/etags.js';
import { describeQuery } from '../openapi/described-query.js';
import { operationOf, queryReaders } from '../openapi/operation.js';
import { InvalidRequest } from '../problems/problem.js';
import { queryOf, type QueryParams } from '../query/query-params.js';
import { type Reference, referencesOfBody } from './reference-fields.js';

/** Limit of references looked up for one refused request, and of lookups at a time. */
const MAX_REFERENCES = 200;
const AT_ONCE = 8;

/**
 * Adds the unknown references of a request to its refusal, so that one answer names all of them
 * (docs/contract.md#errors).
 */
@Injectable()
export class UnknownReferences {
  constructor(
    private readonly locators: EtagLocators,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Returns the error of a handler; a refusal of fields names the unknown references as well. */
  async completed(error: unknown, request: Request, handler: object): Promise<unknown> {
    const org = stateOf(request).caller?.org;
    if (!(error instanceof DomainError) || error.fields.length === 0 || org === undefined) return error;
    const reported = new Set(error.fields.map(({ attr }) => attr));
    const asked = referencesOf(request, handler).filter(({ attr }) => !reported.has(attr));
    const unknown = await this.#unknownOf(org, asked.slice(0, MAX_REFERENCES)).catch(() => []);
    if (unknown.length === 0) return error;
    const [first, ...rest] = [...error.fields, ...unknown] as [FieldError, ...FieldError[]];
    return error instanceof InvalidRequest
      ? new InvalidRequest(first, ...rest)
      : invalidFields(first, ...rest);
  }

  /** @throws StoreUnavailable; DomainError `unavailable` */
  async #unknownOf(org: Uuid, references: readonly Reference[]): Promise<FieldError[]> {
    const unknown = new Set<Reference>();
    await forEachConcurrent(references, AT_ONCE, async (reference) => {
      if (!(await this.#exists(org, reference))) unknown.add(reference);
    });
    return references
      .filter((reference) => unknown.has(reference))
      .map(({ kind, attr }) => ({
        code: 'does_not_exist',
        detail: unknownId(kindName(kind)),
        attr,
      }));
  }

  /** Looks for the stream in the log. A kind that no module registers counts as existing. */
  async #exists(org: Uuid, { kind, text }: Reference): Promise<boolean> {
    const find = this.locators.finderOf(kind);
    if (!find) return true;
    const stream = await find(org, text);
    if (stream === undefined) return false;
    for await (const _ of this.store.readStream(stream, { direction: 'backwards', limit: 1 })) return true;
    return false;
  }
}

/** Lists what a request names in its query, then in its body. */
function referencesOf(request: Request, handler: object): Reference[] {
  const spec = operationOf(handler);
  if (typeof spec !== 'object') return [];
  const query = queryOf(request);
  const { references } = describeQuery(queryReaders(request.method.toLowerCase(), spec));
  const inQuery = [...references].flatMap(([attr, kind]) => {
    const text = sentText(query, attr);
    return text === undefined ? [] : [{ kind, text, attr }];
  });
  const named = new Set(inQuery.map(({ attr }) => attr));
  const { body } = spec;
  const inBody = typeof body === 'function' ? referencesOfBody(body as Type<object>, request.body) : [];
  return [...inQuery, ...inBody.filter(({ attr }) => !named.has(attr))];
}

/** Returns the text of a parameter with one value. */
function sentText(query: QueryParams, name: string): string | undefined {
  const sent = query.sent().filter((param) => param.name === name);
  return sent.length === 1 && sent[0]!.suffix === '' && sent[0]!.value !== '' ? sent[0]!.value : undefined;
}
