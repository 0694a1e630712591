import { Inject, Injectable, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError, invalidFields, unknownId, type FieldError } from '../../../kernel/errors.js';
import { kindName, type Uuid } from '../../../kernel/ids.js';
import { forEachConcurrent } from '../../concurrency/limits.js';
import { EVENT_STORE, type EventStore } from '../../eventsourcing/store/event-store.js';
import { stateOf } from '../auth/caller.js';
import { EtagLocators } from '../etag/etags.js';
import { describeQuery } from '../openapi/described-query.js';
import { operationOf, type OperationSpec, queryReaders } from '../openapi/operation.js';
import { InvalidRequest } from '../problems/problem.js';
import { queryOf, type QueryParams } from '../query/query-params.js';
import { type Reference, referencesOfBody } from './reference-fields.js';

/** Limit of references looked up for one refused request, and of lookups at a time. */
const MAX_REFERENCES = 200;
const AT_ONCE = 8;

/**
 * Adds the other faults of a request to its refusal: those of the query and the unknown references, so that one answer
 * names all of them (docs/contract.md#errors).
 */
@Injectable()
export class UnknownReferences {
  constructor(
    private readonly locators: EtagLocators,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Returns the error of a handler; a refusal of fields names all faulty fields, those of the query first. */
  async completed(error: unknown, request: Request, handler: object): Promise<unknown> {
    const org = stateOf(request).caller?.org;
    if (!(error instanceof DomainError) || error.fields.length === 0 || org === undefined) return error;
    const spec = operationOf(handler);
    if (typeof spec !== 'object') return error;
    const query = queryOf(request);
    const sent = new Set(query.sent().map(({ name }) => name));
    const isOfQuery = ({ attr }: FieldError): boolean => sent.has(attr.replace(/\..*/s, ''));
    // The body may have what the query lacks, so only parameters that are sent can be at fault.
    const inQuery = query.faultsOf(queryReaders(request.method.toLowerCase(), spec)).filter(isOfQuery);
    const faults = [...error.fields, ...otherThan(error.fields, inQuery)];
    const asked = otherThan(faults, referencesOf(request, spec)).slice(0, MAX_REFERENCES);
    const all = [...faults, ...(await this.#unknownOf(org, asked).catch(() => []))];
    if (all.length === error.fields.length) return error;
    const inBody = all.filter((fault) => !isOfQuery(fault));
    const [first, ...rest] = [...all.filter(isOfQuery), ...inBody] as [FieldError, ...FieldError[]];
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

interface Named {
  readonly attr: string;
}

/** Returns the items about other fields. */
function otherThan<Item extends Named>(known: readonly Named[], items: readonly Item[]): Item[] {
  const attrs = new Set(known.map(({ attr }) => attr));
  return items.filter(({ attr }) => !attrs.has(attr));
}

/** Lists what a request names in its query, then in its body. */
function referencesOf(request: Request, spec: OperationSpec): Reference[] {
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
