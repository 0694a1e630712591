import busboy from 'busboy';
import type { Request, Response } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import type { IncomingBody } from './body-limiter.js';
import { FormFields, MAX_FIELDS, tooManyFields, utf8Check } from './form-fields.js';
import { rejectUnstorableText } from './json-limits.js';
import { bodyTooLarge, sendContinue } from './receive-body.js';

const MAX_BYTES = 1024 * 1024;

/** Reads the fields of a multipart form as the body, and refuses files. @throws DomainError */
export async function readMultipart(
  request: Request,
  response: Response,
  incoming: IncomingBody,
): Promise<void> {
  sendContinue(request, response);
  request.body = await readFields(request, incoming);
  rejectUnstorableText(request.body);
}

function readFields(request: Request, incoming: IncomingBody): Promise<object> {
  const parser = parserFor(request);
  const fields = new FormFields();
  const requireUtf8 = utf8Check();
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): void => {
      reject(error as Error);
      request.off('data', check);
      request.unpipe(parser);
      request.resume();
      parser.destroy();
    };
    const orRefuse = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        refuse(error);
      }
    };
    /** Checks what the parser does not: it limits each field only, and replaces bytes that are not UTF-8. */
    const check = (part: Buffer): void =>
      orRefuse(() => {
        incoming.grow(part.length);
        bytes += part.length;
        if (bytes > MAX_BYTES) throw bodyTooLarge();
        requireUtf8(part);
      });
    request.on('data', check);
    request.once('error', () => refuse(incomplete()));
    request.once('close', () => {
      if (!request.readableEnded) refuse(incomplete());
    });
    parser.on('field', (name, value) =>
      orRefuse(() => {
        if (name === undefined || value === undefined) throw malformed();
        fields.add(unescapeName(name), value);
      }),
    );
    parser.on('file', (_, content, { filename }) => {
      content.on('error', () => undefined);
      // Browsers send a field for a file that was not chosen.
      if (filename) refuse(hasFile());
      else content.resume();
    });
    parser.on('partsLimit', () => refuse(tooManyFields()));
    parser.on('error', () => refuse(malformed()));
    parser.on('close', () => resolve(fields.toBody()));
    request.pipe(parser);
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

/** Reads a name as browsers write it: they escape quotes and line breaks, and nothing else. */
const unescapeName = (name: string): string => name.replace(/%0A|%0D|%22/gi, decodeURIComponent);

const incomplete = (): DomainError =>
  new DomainError('parse_error', 'The body did not arrive whole. Send the request again.');

const malformed = (): DomainError =>
  new DomainError(
    'parse_error',
    'The body is no multipart form with the boundary of its Content-Type. Send each field with its name, or send JSON.',
  );

const hasFile = (): DomainError =>
  new DomainError('parse_error', 'The form has a file. Send its fields without files.');
