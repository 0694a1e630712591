import type { Request, Response } from 'express';
import type { Uuid } from '../../../kernel/ids.js';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import {
  ResourceVersion,
  type ExpectedRevisions,
} from '../../eventsourcing/command-runner/command-context.js';
import { EVENT_STORE, type EventStore } from '../../eventsourcing/store/event-store.js';
import { ReadModelCatchUp } from '../../eventsourcing/read-model-catch-up.js';
import { type RequestState, stateOf } from '../auth/caller.js';
import { InvalidRequest } from '../problems/problem.js';
import type { ReferenceKind } from '../references/reference-fields.js';

type FindStream = (org: Uuid, id: string) => string | undefined | Promise<string | undefined>;

/** Finds the stream of a resource by the first parameter of its path, or by a path without parameters. Modules register them. */
export class EtagLocators {
  readonly #finders = new Map<string, FindStream>();
  readonly #byKind = new Map<ReferenceKind, FindStream>();

  /**
   * @param name the first parameter of the path, such as `thing_id`, or a path without parameters
   * @param kind kind of the resource, where a query or body may name it
   */
  register(name: string, find: FindStream, kind?: ReferenceKind): void {
    this.#finders.set(name, find);
    if (kind !== undefined) this.#byKind.set(kind, find);
  }

  /** Returns how the stream of a kind is found; undefined for a kind that no module registers. */
  finderOf(kind: ReferenceKind): FindStream | undefined {
    return this.#byKind.get(kind);
  }

  /** @param path path in the form of a controller, with `:thing_id` or `{thing_id}` */
  hasEtag(path: string): boolean {
    return this.#finders.has(nameIn(path));
  }

  /** Returns the streams of the resources that parameters of a path or query name. */
  async named(org: Uuid, params: Iterable<readonly [name: string, id: string]>): Promise<string[]> {
    const streams: string[] = [];
    for (const [name, id] of params) {
      const stream = await this.#finders.get(name)?.(org, id);
      if (stream !== undefined) streams.push(stream);
    }
    return streams;
  }

  /** Returns undefined for a resource without a stream, or an invalid id. */
  async find(org: Uuid, request: Request): Promise<string | undefined> {
    const name = nameIn((request.route as { path: string }).path);
    const id = (request.params as Readonly<Record<string, string>>)[name];
    return this.#finders.get(name)?.(org, id ?? '');
  }
}

const nameIn = (path: string): string => /[:{](\w+)/.exec(path)?.[1] ?? path.replace(/\/$/, '');

/** Returns whether the answer at a path is the resource itself, not a part of it or the result of an action. */
export const returnsResource = (path: string): boolean =>
  /^\/api\/organization\/?$|^[^:{]*\/(?::\w+|\{\w+\})(?:\/update)?\/?$/.test(path);

/** Answers a resource with its revision as the ETag, and checks If-Match against it (docs/contract.md#etags). */
@Injectable()
export class Etags {
  constructor(
    private readonly streams: EtagLocators,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly catchUp: ReadModelCatchUp,
  ) {}

  async around(request: Request, response: Response, handle: () => Promise<unknown>): Promise<unknown> {
    const { caller } = stateOf(request);
    const { path } = request.route as { path: string };
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const ifMatch = isRead ? undefined : readIfMatch(request.headers['if-match']);
    const hasEtag = this.streams.hasEtag(path);
    if (!caller || (isRead && !returnsResource(path))) return handle();
    if (!hasEtag) {
      if (ifMatch !== undefined && ifMatch !== 'any') throw noEtag();
      return handle();
    }
    const stream = await this.streams.find(caller.org, request);
    if (stream === undefined) return handle();
    if (isRead) {
      // An ETag counts changes of one stream: a 304 of Express would hide changes of the other parts of an answer.
      delete request.headers['if-none-match'];
      return this.#read(stream, response, handle);
    }

    const resource = new ResourceVersion(stream, ifMatch);
    if (ifMatch !== undefined) await this.#require(resource, stream, stateOf(request));
    stateOf(request).resource = resource;
    if (!returnsResource(path)) return handle();
    const answer = await handle();
    setEtag(response, resource.revision);
    return answer;
  }

  /** Lets a repeat through whose first request has changed the resource. @throws DomainError `precondition_failed` */
  async #require(resource: ResourceVersion, stream: string, state: RequestState): Promise<void> {
    const revision = (await this.#last(stream))?.revision;
    if (resource.allows(stream, revision) || (await this.#hasChanged(stream, state))) return;
    resource.require(stream, revision);
  }

  /** Returns whether an earlier request with the same Idempotency-Key has appended to the stream. */
  async #hasChanged(stream: string, { commandId, receivedAt }: RequestState): Promise<boolean> {
    if (receivedAt === undefined) return false;
    for await (const { metadata } of this.store.readStream(stream, { direction: 'backwards' })) {
      if (metadata.commandId === commandId) return true;
      if (metadata.recordedAt < receivedAt) return false;
    }
    return false;
  }

  /** Sends the ETag only if the answer is at least as new: a newer ETag on an older answer would hide a change. */
  async #read(stream: string, response: Response, handle: () => Promise<unknown>): Promise<unknown> {
    const last = await this.#last(stream);
    const isShown = last && (await this.catchUp.reaches(last.position));
    const answer = await handle();
    setEtag(response, isShown ? last.revision : undefined);
    return answer;
  }

  async #last(stream: string): Promise<RecordedEvent | undefined> {
    for await (const event of this.store.readStream(stream, { direction: 'backwards', limit: 1 }))
      return event;
    return undefined;
  }
}

function setEtag(response: Response, revision: bigint | undefined): void {
  if (revision !== undefined) response.setHeader('ETag', etagOf(revision));
}

const noEtag = (): DomainError =>
  new DomainError('precondition_failed', 'This resource has no ETag. Remove If-Match.');

/** Strong or weak entity tag, as RFC 9110 writes it. */
const TAG = /^(W\/)?"([\x21\x23-\x7e]*)"$/;

const etagOf = (revision: bigint): string => `"${revision}"`;

/** Reads `"3"`, `"3", "4"` or `*`. A weak tag never matches. @throws InvalidRequest */
function readIfMatch(header: string | undefined): ExpectedRevisions | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  const tags = header.split(',').map((text) => TAG.exec(text.trim()));
  if (tags.some((tag) => tag === null)) {
    throw new InvalidRequest({
      code: 'invalid',
      detail: 'If-Match is no list of ETags. Send an ETag with its quotes, such as "3".',
      attr: 'If-Match',
    });
  }
  return new Set(tags.flatMap((tag) => (tag![1] ? [] : [tag![2]!])));
}
