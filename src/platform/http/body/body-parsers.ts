import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response, NextFunction } from 'express';
import { randomUUID } from 'node:crypto';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import { mapYielding } from '../../concurrency/long-work.js';
import { type IncomingBody, BodyRules, type BodyRule, BodyLimiter } from './body-limiter.js';
import { rejectUnstorableText, rejectNonFiniteNumbers, JsonLimits } from './json-limits.js';
import {
  sendContinue,
  receiveBody,
  hasBody,
  isMultipart,
  isUrlencoded,
  type ReceivedBytes,
} from './receive-body.js';
import { MALFORMED_JSON } from '../problems/foreseen-errors.js';
import { MAX_FIELDS, readForm, tooManyFields } from './form-fields.js';
import { Authentication } from '../auth/authentication.js';
import { stateOf } from '../auth/caller.js';
import { RateLimits } from '../rate-limits/rate-limits.js';

const ONE_MB = 1024 * 1024;

/** Bytes below which a body is parsed without waiting for a turn. */
const PARSED_AT_ONCE = 16 * 1024;
/** Bytes above which a body keeps its turn until the answer, so that an organization has one such request at a time. */
const LARGE = 512 * 1024;

const JSON_BODY = /^application\/(?:json|[\w.-]+\+json) *(?:;|$)/i;
const UTF8 = /; *charset *= *"?utf-?8"? *(?:;|$)/i;

/** Returns whether a request brings a body that is read. GET and HEAD have none. */
const sendsBody = (request: Request): boolean =>
  hasBody(request) && request.method !== 'GET' && request.method !== 'HEAD';

/** Refuses other callers than authenticated ones for their key, at unknown paths too, before a byte of the body is read. */
export function authenticateSenders(app: NestExpressApplication): void {
  const authentication = app.get(Authentication);
  app.use((request: Request, _: Response, next: NextFunction) => {
    if (!sendsBody(request)) next();
    else authentication.authenticate(request).then(() => next(), next);
  });
}

/**
 * Reads JSON and forms of callers whose key has the scope of the route (`ApiKeyGuard`), before the request is charged
 * (`RateLimitGuard`). The interceptor reads multipart forms (`readMultipart`).
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(
    private readonly limiter: BodyLimiter,
    private readonly limits: RateLimits,
    private readonly rules: BodyRules,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { caller } = stateOf(request);
    if (!caller || !sendsBody(request)) return true;
    return this.#read(caller.org, request, http.getResponse<Response>());
  }

  async #read(org: Uuid, request: Request, response: Response): Promise<true> {
    const parse = parserFor(request);
    if (!parse) return true;
    this.limits.admit(org);
    sendContinue(request, response);
    const rule = this.rules.find(request.url);
    await this.limiter.receive(org, async (incoming) => {
      request.body = await parse({ org, request, response, incoming, rule });
    });
    return true;
  }
}

interface Received {
  readonly org: Uuid;
  readonly request: Request;
  readonly response: Response;
  readonly incoming: IncomingBody;
  readonly rule: BodyRule;
}

type Parser = (received: Received) => Promise<unknown>;

/** Returns undefined for a multipart form. */
function parserFor(request: Request): Parser | undefined {
  const type = request.headers['content-type'] ?? '';
  if (isMultipart(request)) return undefined;
  const isText = JSON_BODY.test(type) || isUrlencoded(request);
  if (isText && (!/charset/i.test(type) || UTF8.test(type)))
    return JSON_BODY.test(type) ? parseJson : parseFields;
  throw new DomainError(
    'unsupported_media_type',
    'Send the body as JSON in UTF-8, with Content-Type: application/json.',
  );
}

async function parseJson(received: Received): Promise<unknown> {
  const {
    org,
    request,
    incoming,
    rule: { maxBytes, maxEntryBytes, checksValues },
  } = received;
  const limits = new JsonLimits(maxEntryBytes);
  const inspect = (part: Buffer): void => limits.push(part);
  const bytes = await receiveBody(request, incoming, { bytes: maxBytes, inspect });
  if (bytes.length === 0) return {};
  const body = await parsing(received, bytes, async () => {
    try {
      return bytes.length < LARGE ? parseText(bytes.text()) : await parseEntries(org, bytes, limits.entries);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new DomainError('parse_error', MALFORMED_JSON);
    }
  });
  if (checksValues && limits.hasEscapes) rejectUnstorableText(body);
  if (checksValues && limits.hasLargeNumbers) rejectNonFiniteNumbers(body);
  return body;
}

/**
 * Parses a long JSON text as long work (`LongWork`). Each object in a list of the outermost object is parsed alone; the text
 * around them is parsed with a placeholder for each. An object and a text are allowed in equal positions, so the whole
 * text is JSON exactly if all parts are.
 * @param org organization that sent the text
 * @param entries start and end offsets of the objects (`JsonLimits.entries`)
 * @throws SyntaxError
 */
export async function parseEntries(
  org: Uuid,
  bytes: ReceivedBytes,
  entries: readonly number[],
): Promise<unknown> {
  // A random placeholder cannot occur in the body.
  const name = randomUUID();
  const around: string[] = [];
  const parts: [number, number][] = [];
  let end = 0;
  for (let at = 0; at + 1 < entries.length; at += 2) {
    around.push(bytes.text(end, entries[at]!), `"${name}${parts.length}"`);
    end = entries[at + 1]!;
    parts.push([entries[at]!, end]);
  }
  const outermost: unknown = parseText(around.join('') + bytes.text(end));
  if (parts.length === 0) return outermost;
  const parsed = await mapYielding(org, parts, ([from, to]) => JSON.parse(bytes.text(from, to)) as unknown);
  for (const list of Object.values(outermost as object)) {
    if (!Array.isArray(list)) continue;
    for (const [index, entry] of (list as unknown[]).entries()) {
      if (typeof entry === 'string' && entry.startsWith(name))
        list[index] = parsed[Number(entry.slice(name.length))];
    }
  }
  return outermost;
}

/** Parses JSON after an optional byte order mark. @throws SyntaxError */
const parseText = (text: string): unknown => JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);

async function parseFields(received: Received): Promise<unknown> {
  const { request, incoming } = received;
  let fields = 1;
  const inspect = (part: Buffer): void => {
    for (const byte of part) if (byte === 0x26) fields += 1;
    if (fields > MAX_FIELDS) throw tooManyFields();
  };
  const bytes = await receiveBody(request, incoming, { bytes: ONE_MB, inspect });
  const body = await parsing(received, bytes, async () => readForm(bytes.bytes()));
  rejectUnstorableText(body);
  return body;
}

async function parsing<Parsed>(
  { request, response, incoming }: Received,
  bytes: ReceivedBytes,
  parse: () => Promise<Parsed>,
): Promise<Parsed> {
  stateOf(request).bodyBytes = bytes.length;
  if (bytes.length < PARSED_AT_ONCE) return parse();
  const answered = bytes.length < LARGE || response.closed ? undefined : closing(response);
  return incoming.runExclusive(async (spend) => {
    const start = performance.now();
    try {
      return await parse();
    } finally {
      spend(performance.now() - start);
    }
  }, answered);
}

const closing = (response: Response): Promise<void> =>
  new Promise((resolve) => void response.once('close', resolve));
