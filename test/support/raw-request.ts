import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
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

/**
 * Sends many GETs with these header lines at once over one connection, so that they arrive together however busy the
 * machine is. @returns the answers, in the order of the requests
 */
export async function sendTogether(
  url: string,
  path: string,
  heads: readonly (readonly string[])[],
): Promise<{ status: number; head: string; body: string }[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const requests = heads.map((lines, n) => [
    `GET ${path} HTTP/1.1`,
    'Host: x',
    ...lines,
    ...(n === heads.length - 1 ? ['Connection: close'] : []),
    '\r\n',
  ]);
  socket.write(requests.map((lines) => lines.join('\r\n')).join(''));
  return (await text(socket)).split(/(?=HTTP\/1\.1 \d{3} )/).map((answer) => {
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    return { status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)), head, body };
  });
}

/** Sends the head of a POST without its body and returns the beginning of the answer. */
export async function sendHead(url: string, path: string, lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write([`POST ${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n'));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}
