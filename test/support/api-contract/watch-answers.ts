import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ApiDocument } from '../../../src/platform/http/openapi/api-document.js';
import type { Service } from '../../../src/service.js';
import { AnswerCheck, type Answered } from './answer-check.js';
import { noteFault } from './faults.js';

/** Holds every answer the service gives, to whomever it gives it, to the API document. */
export function watchAnswers({ app }: Service): void {
  const document = app.get(ApiDocument);
  const check = new AnswerCheck(document.get(), document.undescribed());
  const server: Server = app.getHttpServer();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    collect(response, chunks);
    response.on('finish', () => {
      if (!request.url?.startsWith('/api/')) return;
      const answered: Answered = {
        method: request.method ?? '',
        url: request.url,
        status: response.statusCode,
        headers: response.getHeaders(),
        body: Buffer.concat(chunks).toString('utf8'),
      };
      for (const fault of check.faultsOf(answered)) {
        noteFault(`${answered.method} ${answered.url} → ${answered.status}: ${fault}`);
      }
    });
  });
}

/** Keeps a copy of what is written to a response. */
function collect(response: ServerResponse, chunks: Buffer[]): void {
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.write = ((chunk: unknown, ...rest: unknown[]) => {
    keep(chunk);
    return write(chunk, ...rest);
  }) as typeof response.write;
  response.end = ((chunk: unknown, ...rest: unknown[]) => {
    keep(chunk);
    return end(chunk, ...rest);
  }) as typeof response.end;
}
