import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

interface Signed {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** The signature that AWS Signature Version 4 asks for in a request without query, by its documentation. */
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

/** An object store that speaks as much S3 as puts of whole objects take: signatures, and puts on condition. */
export class TestObjectStore {
  readonly accessKeyId = 'AKIAIOSFODNN7EXAMPLE';
  readonly secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
  readonly region = 'eu-central-1';
  /** Texts by their paths. */
  readonly objects = new Map<string, string>();
  /** Answers with this status instead; a promise that never settles is a store that hangs. */
  answering: (() => number | undefined | Promise<number>) | undefined;
  url = '';
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      void this.answer({ method, path, headers }, Buffer.concat(chunks)).then(([status, body]) =>
        response.writeHead(status).end(body),
      );
    });
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/bucket/audit`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Settings of a service that uploads to it. */
  get env(): Record<string, string> {
    return {
      AUDIT_BUCKET: `${this.url}/`,
      AUDIT_BUCKET_REGION: this.region,
      AUDIT_BUCKET_ACCESS_KEY: this.accessKeyId,
      AUDIT_BUCKET_SECRET_KEY: this.secretAccessKey,
    };
  }

  /** Names of the objects, in order. */
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
