import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { DomainError } from '../../../kernel/errors.js';
import type { IncomingBody } from './body-limiter.js';

/** Requests whose sender waits for `100 Continue` before it sends the body. */
const waiting = new WeakSet<IncomingMessage>();

/** Notes a request with `Expect: 100-continue`. */
export const expectsContinue = (request: IncomingMessage): void => void waiting.add(request);

/** Tells whether the sender of a request still waits for `100 Continue`. */
export const awaitsContinue = (request: IncomingMessage): boolean => waiting.has(request);

/** Sends `100 Continue` before the body is read, if its sender waits for it. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(request)) response.writeContinue();
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

const FORM = /^application\/x-www-form-urlencoded *(?:;|$)/i;

export const isUrlencoded = ({ headers }: IncomingMessage): boolean =>
  FORM.test(headers['content-type'] ?? '');

export const isMultipart = ({ headers }: IncomingMessage): boolean =>
  /^multipart\/form-data *(?:;|$)/i.test(headers['content-type'] ?? '');

export const isForm = (request: IncomingMessage): boolean => isUrlencoded(request) || isMultipart(request);

/** Bytes that any compressed body may decompress to. */
const ANY_RATIO_BYTES = 64 * 1024;
/** JSON lists of similar objects compress to between a tenth and a fiftieth. */
const MAX_RATIO = 100;

/** Size of a part; each part takes a turn of the event loop. */
const PARTS = { chunkSize: 64 * 1024 };

const INFLATERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(PARTS),
  'x-gzip': () => createGunzip(PARTS),
  deflate: () => createInflate(PARTS),
  br: () => createBrotliDecompress(PARTS),
};

/**
 * Bytes of a body in the parts in which they arrived. They are never copied into one piece: for 5 MB that holds up the
 * event loop for more than 20 ms where memory is slow to come.
 */
export class ReceivedBytes {
  readonly parts: Buffer[] = [];
  /** Offset of the end of each part. */
  readonly #ends: number[] = [];

  get length(): number {
    return this.#ends.at(-1) ?? 0;
  }

  push(part: Buffer): void {
    this.#ends.push(this.length + part.length);
    this.parts.push(part);
  }

  /** Drops all parts, for a body that is refused. */
  clear(): void {
    this.parts.length = this.#ends.length = 0;
  }

  /**
   * Reads a range as UTF-8. It begins and ends between characters.
   * @throws SyntaxError if it is not UTF-8: with replaced bytes, two ids could become one
   */
  text(from = 0, to = this.length): string {
    const bytes = this.bytes(from, to);
    if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8');
    return bytes.toString();
  }

  /** Returns a range in one piece. */
  bytes(from = 0, to = this.length): Buffer {
    if (from >= to) return Buffer.alloc(0);
    const first = this.#partAt(from);
    const start = first === 0 ? 0 : this.#ends[first - 1]!;
    if (to <= this.#ends[first]!) return this.parts[first]!.subarray(from - start, to - start);
    const last = this.#partAt(to - 1);
    const all = Buffer.concat(this.parts.slice(first, last + 1));
    return all.subarray(from - start, to - start);
  }

  /** Finds the part that has the byte at an offset. */
  #partAt(offset: number): number {
    let [low, high] = [0, this.#ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends[middle]! > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

export interface BodyLimits {
  /** Limit of bytes after decompression. */
  readonly bytes: number;
  /** Checks each part in order, and throws to stop reading. */
  readonly inspect: (part: Buffer) => void;
}

/** Reads and decompresses a body up to its limits. @throws DomainError */
export async function receiveBody(
  request: IncomingMessage,
  incoming: IncomingBody,
  { bytes, inspect }: BodyLimits,
): Promise<ReceivedBytes> {
  const inflaterOf = inflaterFor(request);
  if (Number(request.headers['content-length'] ?? 0) > bytes) throw bodyTooLarge();
  const sent = new ReceivedBytes();
  const keep = (part: Buffer): Promise<void> | undefined => {
    if (sent.length + part.length > bytes) throw bodyTooLarge();
    incoming.grow(part.length);
    sent.push(part);
    return incoming.workOnPart(part.length, () => inflaterOf || inspect(part));
  };
  try {
    await readAll(request, keep, () => request.complete);
  } catch (error) {
    // The request stays in memory until its sender has the answer, so its parts are dropped here.
    sent.clear();
    throw error;
  }
  if (!inflaterOf || sent.length === 0) return sent;
  return incoming.runExclusive((spend) => {
    const timedInspect = (part: Buffer): void => {
      const start = performance.now();
      try {
        inspect(part);
        incoming.grow(part.length);
      } finally {
        spend(performance.now() - start);
      }
    };
    return inflate(sent, inflaterOf(), { bytes, inspect: timedInspect });
  });
}

function inflaterFor({ headers }: IncomingMessage): (() => Transform) | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return undefined;
  if (Object.hasOwn(INFLATERS, encoding)) return INFLATERS[encoding];
  throw new DomainError(
    'unsupported_media_type',
    'This Content-Encoding is not supported. Send the body uncompressed, or with gzip, deflate or br.',
  );
}

/** Decompresses a body that has arrived whole, so that a slow sender cannot keep its turn. */
async function inflate(
  sent: ReceivedBytes,
  inflater: Transform,
  { bytes, inspect }: BodyLimits,
): Promise<ReceivedBytes> {
  const most = Math.min(bytes, Math.max(ANY_RATIO_BYTES, sent.length * MAX_RATIO));
  const inflated = new ReceivedBytes();
  const keep = (part: Buffer): void => {
    if (inflated.length + part.length > most) throw bodyTooLarge();
    inspect(part);
    inflated.push(part);
  };
  const whole = readAll(inflater, keep, () => inflater.readableEnded);
  for (const part of sent.parts) inflater.write(part);
  inflater.end();
  try {
    await whole;
    return inflated;
  } finally {
    inflater.destroy();
  }
}

/**
 * Reads a source to its end. Rejects with an error of `keep`, and then leaves the rest unread.
 * @param keep may return a promise that the next part waits for
 */
function readAll(
  source: Readable,
  keep: (part: Buffer) => Promise<void> | undefined | void,
  isWhole: () => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      source.off('data', take);
      source.pause();
    };
    const take = (part: Buffer): void => {
      try {
        const turn = keep(part);
        if (!turn) return;
        source.pause();
        void turn.then(() => source.resume());
      } catch (error) {
        stop();
        reject(error as Error);
      }
    };
    source.on('data', take);
    source.once('end', resolve);
    source.once('error', () => reject(unreadable()));
    source.once('close', () => {
      if (!isWhole()) reject(unreadable());
    });
  });
}

const bodyTooLarge = (): DomainError =>
  new DomainError('payload_too_large', 'The body is larger than this operation takes. Send less at a time.');

const unreadable = (): DomainError =>
  new DomainError(
    'parse_error',
    'The body did not arrive whole, or does not have its Content-Encoding. Send the request again.',
  );
