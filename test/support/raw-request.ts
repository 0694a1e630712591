import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

export interface RawBody {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written again and again, as fast as the other side reads. */
  readonly chunk: Buffer;
  readonly times: number;
}

/** A body written piece by piece, so that it is nowhere as a whole; ends early when the answer is there. */
export function sendPieces(
  url: string,
  { method = 'POST', headers = {}, chunk, times }: RawBody,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        resolve({
          status: response.statusCode!,
          type: response.headers['content-type'],
          body: Buffer.concat(parts).toString('utf8'),
        });
        sent.destroy();
      });
    });
    sent.on('error', reject);
    let left = times;
    const write = (): void => {
      while (left > 0 && !sent.destroyed) {
        left -= 1;
        if (!sent.write(chunk)) {
          sent.once('drain', write);
          return;
        }
      }
      if (left === 0) sent.end();
    };
    write();
  });
}
