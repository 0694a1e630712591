import { parse as parseForm } from 'node:querystring';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import { Authentication } from '../auth/authentication.js';
import { BodyRules, type BodyRule } from './body-rules.js';
import { BodyLimiter, type IncomingBody } from './body-limiter.js';
import { rejectNonFiniteNumbers, rejectUnstorableText } from './body-checks.js';
import { JsonLimits } from './json-limits.js';
import { isMultipart } from './multipart.js';
import { receiveBody } from './receive-body.js';
import { stateOf } from '../server/request-state.js';
import { sendContinue, hasBody } from './unread-body.js';

const ONE_MB = 1024 * 1024;
/** Smaller ones are parsed in no time, and need no turn. */
const PARSED_AT_ONCE = 16 * 1024;
/** Larger ones, of which an organization has one at a time, keep their turn until they are answered. */
const LARGE = 512 * 1024;
const MOST_FIELDS = 1_000;

const JSON_BODY = /^application\/(?:json|[\w.-]+\+json) *(?:;|$)/i;
const FORM = /^application\/x-www-form-urlencoded *(?:;|$)/i;
const UTF8 = /; *charset *= *"?utf-?8"? *(?:;|$)/i;

/**
 * Reads JSON and forms of callers that are known by their key, and of nobody else: who sends no valid key is refused
 * before a byte of the body is read. Multipart forms are read after the guards (multipart.ts). GET and HEAD take no
 * body.
 */
export function parseBodies(app: NestExpressApplication): void {
  const authentication = app.get(Authentication);
  const limiter = app.get(BodyLimiter);
  const rules = app.get(BodyRules);
  const read = async (request: Request, response: Response): Promise<void> => {
    const { org } = await authentication.authenticate(request);
    const parse = parserFor(request);
    if (!parse) return;
    sendContinue(request, response);
    await limiter.receive(org, async (incoming) => {
      request.body = await parse({ request, response, incoming, rule: rules.find(request.url) });
    });
  };
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!hasBody(request) || request.method === 'GET' || request.method === 'HEAD') next();
    else read(request, response).then(() => next(), next);
  });
}

interface Received {
  readonly request: Request;
  readonly response: Response;
  readonly incoming: IncomingBody;
  readonly rule: BodyRule;
}

type Parser = (received: Received) => Promise<unknown>;

/** Undefined for a multipart form. */
function parserFor(request: Request): Parser | undefined {
  const type = request.headers['content-type'] ?? '';
  if (isMultipart(request)) return undefined;
  const isText = JSON_BODY.test(type) || FORM.test(type);
  if (isText && (!/charset/i.test(type) || UTF8.test(type)))
    return JSON_BODY.test(type) ? parseJson : parseFields;
  throw new DomainError(
    'unsupported_media_type',
    'Send the body as JSON in UTF-8, with Content-Type: application/json.',
  );
}

async function parseJson(received: Received): Promise<unknown> {
  const {
    request,
    incoming,
    rule: { maxBytes, checksValues },
  } = received;
  const limits = new JsonLimits();
  const look = (part: Buffer): void => limits.push(part);
  const bytes = await receiveBody(request, incoming, { bytes: maxBytes, look });
  if (bytes.length === 0) return {};
  const body = await parsing(received, bytes, parseText);
  if (checksValues && limits.hasEscapes) rejectUnstorableText(body);
  if (checksValues && limits.hasLargeNumbers) rejectNonFiniteNumbers(body);
  return body;
}

async function parseFields(received: Received): Promise<unknown> {
  const { request, incoming } = received;
  let fields = 1;
  const look = (part: Buffer): void => {
    for (const byte of part) if (byte === 0x26) fields += 1;
    if (fields > MOST_FIELDS) {
      throw new DomainError(
        'payload_too_large',
        `A form holds at most ${MOST_FIELDS.toLocaleString('en')} fields.`,
      );
    }
  };
  const bytes = await receiveBody(request, incoming, { bytes: ONE_MB, look });
  const body = await parsing(received, bytes, (text) => ({
    ...parseForm(text, '&', '=', { maxKeys: 0 }),
  }));
  rejectUnstorableText(body);
  return body;
}

async function parsing<Parsed>(
  { request, response, incoming }: Received,
  bytes: Buffer,
  parse: (text: string) => Parsed,
): Promise<Parsed> {
  stateOf(request).bodyBytes = bytes.length;
  if (bytes.length < PARSED_AT_ONCE) return parse(bytes.toString('utf8'));
  const answered = bytes.length < LARGE || response.closed ? undefined : closing(response);
  return incoming.runExclusive((spend) => {
    const start = performance.now();
    try {
      return Promise.resolve(parse(bytes.toString('utf8')));
    } finally {
      spend(performance.now() - start);
    }
  }, answered);
}

const closing = (response: Response): Promise<void> =>
  new Promise((resolve) => void response.once('close', resolve));

function parseText(text: string): unknown {
  try {
    // A byte order mark is no part of the text.
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    throw new DomainError('parse_error', 'The request cannot be read: malformed JSON or encoding.');
  }
}
