import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ModulesContainer } from '@nestjs/core';
import { ApiDocument } from '../../../src/platform/http/openapi/api-document.js';
import type { Service } from '../../../src/service.js';
import { AnswerCheck, type Answered } from './answer-check.js';

/**
 * Checks every answer of the service against the API document.
 * @returns the deviations, in sentences; the array grows with the answers
 */
export function watchAnswers({ app }: Service): string[] {
  const check = checkOf(app);
  const faults: string[] = [];
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
        faults.push(`${answered.method} ${answered.url} → ${answered.status}: ${fault}`);
      }
    });
  });
  return faults;
}

/** The check, shared by all services of the process that have the same controllers. */
let known: { readonly controllers: ReadonlySet<unknown>; readonly check: AnswerCheck } | undefined;

/** Caches the check: building the document and compiling schemas takes long. */
function checkOf(app: Service['app']): AnswerCheck {
  const controllers = new Set<unknown>(
    [...app.get(ModulesContainer).values()].flatMap(({ controllers }) => [...controllers.keys()]),
  );
  if (
    !known ||
    known.controllers.size !== controllers.size ||
    [...controllers].some((controller) => !known!.controllers.has(controller))
  ) {
    const api = app.get(ApiDocument);
    known = { controllers: controllers, check: new AnswerCheck(api.get(), api.undescribed()) };
  }
  return known.check;
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
