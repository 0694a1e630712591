import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from './listen.js';

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

interface Signed {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Computes the AWS Signature Version 4 of a request without query, as its documentation says. */
export function signatureOf({ method, path, headers }: Signed, secretAccessKey: string): string {
  const [, scope = '', signedHeaders = ''] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+),/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const canonical = [
    method,
    path,
    '',
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer | string>((so, part) => hmac(so, part), `AWS4${secretAccessKey}`);
  return hmac(key, toSign).toString('hex');
}

/** An S3 object store with signatures and conditional puts of whole objects. */
export class TestObjectStore {
  readonly accessKeyId = 'AKIAIOSFODNN7EXAMPLE';
  readonly secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
  readonly region = 'eu-central-1';
  /** Contents by path. */
  readonly objects = new Map<string, string>();
  /** Overrides the status of answers; a promise that never settles simulates a store that hangs. */
  answering: (() => number | undefined | Promise<number>) | undefined;
  url = '';
  readonly #server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    void buffer(request)
      .then((body) => this.answer({ method, path, headers }, body))
      .then(([status, body]) => response.writeHead(status).end(body));
  });

  async start(): Promise<this> {
    this.url = `http://127.0.0.1:${await listen(this.#server)}/bucket/audit`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Environment variables of a service that uploads to this store. */
  get env(): Record<string, string> {
    return {
      AUDIT_BUCKET: `${this.url}/`,
      AUDIT_BUCKET_REGION: this.region,
      AUDIT_BUCKET_ACCESS_KEY: this.accessKeyId,
      AUDIT_BUCKET_SECRET_KEY: this.secretAccessKey,
    };
  }

  /** Returns the sorted names of the objects. */
  names(): string[] {
    return [...this.objects.keys()].map((path) => path.split('/').at(-1)!).sort();
  }

  private async answer(request: Signed, body: Buffer): Promise<[number, string?]> {
    const status = await this.answering?.();
    if (status !== undefined) return [status];
    const { method, path, headers } = request;
    const [, given] = /Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '') ?? [];
    const isFor = `Credential=${this.accessKeyId}/${headers['x-amz-date']?.slice(0, 8)}/${this.region}/s3/aws4_request`;
    const isSigned =
      headers.authorization?.includes(isFor) === true && given === signatureOf(request, this.secretAccessKey);
    if (!isSigned || headers['x-amz-content-sha256'] !== sha256(body)) return [403];
    const there = this.objects.get(path);
    if (method === 'GET') return there === undefined ? [404] : [200, there];
    if (method !== 'PUT' || headers['if-none-match'] !== '*') return [400];
    if (there !== undefined) return [412];
    this.objects.set(path, body.toString('utf8'));
    return [200];
  }
}
