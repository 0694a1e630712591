import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { fileFault } from '../src/kernel/file-fault.js';
import { parseInstant, type Instant } from '../src/kernel/instant.js';

/** Line of an access log in the common or combined format, read as a request. */
interface LoggedRequest {
  readonly line: number;
  readonly client: string;
  readonly time: Instant;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** 0 where the log has `-`. */
  readonly bytes: number;
}

export interface MalformedLine {
  readonly line: number;
  readonly reason: string;
}

export type LogEntry = LoggedRequest | MalformedLine;

export const isMalformed = (entry: LogEntry): entry is MalformedLine => 'reason' in entry;

const LINE = /^(\S+) \S+ (?:\S.*?) \[([^\]]*)\] "((?:[^"\\]|\\.)*)" (\d{3}) (\d+|-)(?: .*)?$/;
const TIME = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{4})$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Reads one line.
 * @returns the reason for a line that is not a request
 */
export function parseLine(text: string, line: number): LogEntry {
  const fields = LINE.exec(text);
  if (!fields) return { line, reason: 'not in the common or combined log format' };
  const [, client, stamp, request, status, bytes] = fields as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const time = parseTime(stamp);
  if (!time) return { line, reason: `no time of day: ${stamp}` };
  const [method = '', path = ''] = request.split(' ');
  return {
    line,
    client,
    time,
    method,
    path,
    status: Number(status),
    bytes: bytes === '-' ? 0 : Number(bytes),
  };
}

/**
 * Yields every line of a plain or gzipped log in order: memory does not grow with the file. Skips blank
 * lines.
 */
export async function* readLog(file: string): AsyncGenerator<LogEntry> {
  const lines = createInterface({ input: await openLog(file), crlfDelay: Infinity });
  let number = 0;
  for await (const text of lines) {
    number++;
    if (text.trim() !== '') yield parseLine(text, number);
  }
}

/** Returns the SHA-256 of the file: with the line number it is the idempotency id of a request. */
export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** @throws Error with a sentence for a file that cannot be read */
async function openLog(file: string): Promise<Readable> {
  const [first, second] = await firstBytesOf(file).catch((error: unknown) => {
    throw fileFault(error, file);
  });
  const raw = createReadStream(file);
  if (first !== 0x1f || second !== 0x8b) return raw;
  const plain = createGunzip();
  raw.on('error', (error) => plain.destroy(error));
  return raw.pipe(plain);
}

async function firstBytesOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function parseTime(stamp: string): Instant | undefined {
  const fields = TIME.exec(stamp);
  if (!fields) return undefined;
  const [, day, name, year, time, offset] = fields as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const month = MONTHS.indexOf(name) + 1;
  return parseInstant(`${year}-${String(month).padStart(2, '0')}-${day}T${time}${offset}`);
}
