import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashOf, isMalformed, parseLine, readLog, type LogEntry } from '../../demo/access-log.js';
import { startOfNextMonth, survey } from '../../demo/log-calendar.js';
import { instant } from '../../src/kernel/instant.js';

const COMBINED =
  '203.0.113.7 - - [17/May/2026:10:05:03 +0200] "GET /a?b=c HTTP/1.1" 200 20302 "http://x/ \\"q\\"" "Mozilla/5.0"';

describe('an access log line', () => {
  it('is read in the combined format, its time in UTC', () => {
    expect(parseLine(COMBINED, 4)).toEqual({
      line: 4,
      client: '203.0.113.7',
      time: '2026-05-17T08:05:03.000000Z',
      method: 'GET',
      path: '/a?b=c',
      status: 200,
      bytes: 20302,
    });
  });

  it.each([
    ['common format', 'h - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.0" 304 0', { status: 304, bytes: 0 }],
    ['a dash for bytes', 'h - - [01/Jan/2026:00:00:00 +0000] "HEAD / HTTP/1.0" 304 -', { bytes: 0 }],
    ['a user name with blanks', 'h - A B [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.0" 200 7', { bytes: 7 }],
    ['an escaped quote', 'h - - [01/Jan/2026:00:00:00 +0000] "GET /\\"x HTTP/1.0" 200 7', { path: '/\\"x' }],
    ['an empty request', 'h - - [01/Jan/2026:00:00:00 +0000] "-" 408 -', { method: '-', path: '' }],
  ])('is read with %s', (_, text, expected) => {
    expect(parseLine(text, 1)).toMatchObject(expected);
  });

  it.each([
    ['no log line', 'hello'],
    ['a status that is none', 'h - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.0" ok 7'],
    ['a day that does not exist', 'h - - [31/Feb/2026:00:00:00 +0000] "GET / HTTP/1.0" 200 7'],
    ['a month that does not exist', 'h - - [01/Foo/2026:00:00:00 +0000] "GET / HTTP/1.0" 200 7'],
  ])('is malformed with %s, and says its number', (_, text) => {
    expect(parseLine(text, 12)).toMatchObject({ line: 12, reason: expect.any(String) });
  });
});

describe('an access log file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'recount-log-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const entriesOf = async (file: string): Promise<LogEntry[]> => {
    const entries: LogEntry[] = [];
    for await (const entry of readLog(file)) entries.push(entry);
    return entries;
  };

  it('that cannot be read is named with what to do', async () => {
    const missing = path.join(folder, 'missing.log');
    await expect(entriesOf(missing)).rejects.toThrow(
      `There is no file or folder ${missing}. Check the path.`,
    );
    await expect(entriesOf(folder)).rejects.toThrow(`${folder} is a folder. Give a file.`);
  });

  it('reads the same plain and gzipped, numbering lines as an editor does', async () => {
    const text = `${COMBINED}\n\nbroken\r\n${COMBINED}`;
    const plain = path.join(folder, 'a.log');
    const packed = path.join(folder, 'a.log.gz');
    writeFileSync(plain, text);
    writeFileSync(packed, gzipSync(text));
    const entries = await entriesOf(plain);
    expect(entries.map((e) => [e.line, isMalformed(e)])).toEqual([
      [1, false],
      [3, true],
      [4, false],
    ]);
    expect(await entriesOf(packed)).toEqual(entries);
    expect(await hashOf(plain)).not.toBe(await hashOf(packed));
  });

  it('is surveyed into stretches that fit the usage window, the clock just after each last day', async () => {
    const at = (stamp: string): string => COMBINED.replace('17/May/2026:10:05:03 +0200', stamp);
    const file = path.join(folder, 'b.log');
    const stamps = ['31/May/2026:23:59:59 +0000', '01/May/2026:00:00:00 +0000', '15/May/2026:12:00:00 +0000'];
    writeFileSync(file, [...stamps, '02/Jul/2026:00:00:00 +0000'].map(at).join('\n'));
    const found = await survey(readLog(file));
    expect(found).toMatchObject({ clients: ['203.0.113.7'], requests: 4, malformedCount: 0 });
    expect(found.slices).toEqual([
      { from: instant('2026-05-01'), until: instant('2026-05-16'), ingestAt: instant('2026-05-16') },
      { from: instant('2026-05-16'), until: instant('2026-06-01'), ingestAt: instant('2026-06-01') },
      { from: instant('2026-07-01'), until: instant('2026-07-16'), ingestAt: instant('2026-07-03') },
    ]);
    expect(startOfNextMonth(instant('2026-12-31'))).toBe(instant('2027-01-01'));
  });
});
