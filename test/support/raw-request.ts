import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

export interface RawBody {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written repeatedly, as fast as the server reads. */
  readonly chunk: Buffer;
  readonly times: number;
}

/** Sends a body in chunks, without holding it in memory. It stops when the answer arrives. */
export function sendChunks(
  url: string,
  { method = 'POST', headers = {}, chunk, times }: RawBody,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      void text(response).then((body) => {
        resolve({ status: response.statusCode!, type: response.headers['content-type'], body });
        sent.destroy();
      }, reject);
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
