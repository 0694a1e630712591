import busboy from 'busboy';
import type { Request, Response } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import type { IncomingBody } from './body-limiter.js';
import { FormFields, MAX_FIELDS, requireUtf8, tooManyFields } from './form-fields.js';
import { rejectUnstorableText } from './json-limits.js';
import { receiveBody, sendContinue } from './receive-body.js';

const MAX_BYTES = 1024 * 1024;

/** Reads the fields of a multipart form as the body, and refuses files. @throws DomainError */
export async function readMultipart(
  request: Request,
  response: Response,
  incoming: IncomingBody,
): Promise<void> {
  sendContinue(request, response);
  const received = await receiveBody(request, incoming, { bytes: MAX_BYTES, inspect: () => undefined });
  const bytes = received.bytes();
  requireUtf8(bytes);
  request.body = await readFields(request, bytes);
  rejectUnstorableText(request.body);
}

function readFields(request: Request, bytes: Buffer): Promise<object> {
  const parser = parserFor(request);
  rejectOtherCharsets(request, bytes);
  const fields = new FormFields();
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): void => {
      reject(error as Error);
      parser.destroy();
    };
    parser.on('field', (name, value) => {
      try {
        if (name === undefined || value === undefined) throw malformed();
        fields.add(unescapeName(name), value);
      } catch (error) {
        refuse(error);
      }
    });
    parser.on('file', (_, content, { filename }) => {
      content.on('error', () => undefined);
      // Browsers send a field for a file that was not chosen.
      if (filename) refuse(hasFile());
      else content.resume();
    });
    parser.on('partsLimit', () => refuse(tooManyFields()));
    parser.on('error', () => refuse(malformed()));
    parser.on('close', () => resolve(fields.toBody()));
    parser.end(bytes);
  });
}

function parserFor({ headers }: Request): ReturnType<typeof busboy> {
  const limits = { parts: MAX_FIELDS + 1, fieldSize: MAX_BYTES };
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8' });
  } catch {
    throw malformed();
  }
}

const BOUNDARY = /; *boundary *= *(?:"([^"]+)"|([^\s;]+))/i;
const CHARSET = /^content-type:.*?; *charset *= *"?([^\s";]+)/im;

/** Refuses a form with a part in another charset, which the parser would decode as declared. @throws DomainError */
function rejectOtherCharsets({ headers }: Request, bytes: Buffer): void {
  const [, quoted, plain] = BOUNDARY.exec(headers['content-type'] ?? '') ?? [];
  for (const part of bytes.toString('latin1').split(`--${quoted ?? plain}\r\n`)) {
    const [head = ''] = part.split('\r\n\r\n', 1);
    const charset = CHARSET.exec(head.replace(/\r\n[ \t]+/g, ' '))?.[1];
    if (charset && !/^(?:utf-?8|us-ascii)$/i.test(charset)) throw otherCharset();
  }
}

/** Reads a name as browsers write it: they escape quotes and line breaks, and nothing else. */
const unescapeName = (name: string): string => name.replace(/%0A|%0D|%22/gi, decodeURIComponent);

const malformed = (): DomainError =>
  new DomainError(
    'parse_error',
    'The body is no multipart form with the boundary of its Content-Type. Send each field with its name, or send JSON.',
  );

const hasFile = (): DomainError =>
  new DomainError('parse_error', 'The form has a file. Send its fields without files.');

const otherCharset = (): DomainError =>
  new DomainError(
    'unsupported_media_type',
    'A part of the form declares another charset. Send all parts in UTF-8.',
  );
