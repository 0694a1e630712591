import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../../../src/platform/telemetry/logger.js';

function logged(level: string, write: (logger: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = [];
  write(createLogger(level, { write: (line) => void lines.push(line) }));
  return lines;
}

describe('the log', () => {
  it('is one JSON object a line, with time, level, facts and sentence', () => {
    const [line] = logged('info', (logger) => logger.warn({ projection: 'plans' }, 'It stopped.'));
    expect(JSON.parse(line!)).toEqual({
      level: 40,
      time: expect.any(String),
      projection: 'plans',
      msg: 'It stopped.',
    });
  });

  it('leaves out what is below its level', () => {
    expect(logged('warn', (logger) => logger.info({}, 'Nothing to see.'))).toEqual([]);
  });

  it('never holds keys, passwords or the values of a refused row', () => {
    const headers = { authorization: 'Token hush-1', 'x-api-key': 'hush-2', cookie: 'hush-3', host: 'here' };
    const client = {
      secretKey: 'hush-6',
      connectionParameters: { password: 'hush-7' },
      query: "select 'hush-8'",
    };
    const error = Object.assign(
      new Error('duplicate key', { cause: Object.assign(new Error('c'), { client }) }),
      {
        code: '23505',
        client,
        where: 'hush-9',
        internalQuery: 'hush-10',
        params: ['hush-11'],
        detail: 'Key (email)=(hush-4) already exists.',
      },
    );
    const [line] = logged('info', (logger) => {
      logger.info(
        { req: { headers }, config: { databaseUrl: 'postgres://u:hush-5@h/d' }, err: error },
        'Seen.',
      );
    });
    expect(line).toContain('here');
    expect(line).toContain('duplicate key');
    expect(line).toContain('23505');
    expect(line).not.toContain('hush');
  });
});
