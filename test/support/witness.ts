import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.js';
import { publicKeyOf, signEd25519, verifyEd25519 } from './transparency.js';

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly type?: string;
}

interface Head {
  readonly size: number;
  readonly root: string;
}

interface Signature {
  readonly name: string;
  readonly bytes: Buffer;
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const node = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);
const EMPTY = sha256().toString('base64');
const BODY = /^old (0|[1-9]\d*)\n((?:[A-Za-z0-9+/=]{44}\n)*)\n([^]+)$/;
const CHECKPOINT = /^(([^\n]+)\n(0|[1-9]\d*)\n([A-Za-z0-9+/]{43}=)\n)\n((?:— \S+ \S+\n)+)$/u;

/**
 * A witness by C2SP tlog-witness that shares no code with the service: it stores the keys of logs, and the tree of
 * each that it cosigned last.
 */
export class TestWitness {
  readonly name: string;
  readonly #seed: Buffer;
  readonly #logs = new Map<string, { readonly keys: readonly string[]; head: Head }>();
  readonly #server: Server;
  /** URL, also after `stop`. */
  url = '';
  /** Bodies of the requests, oldest first. */
  readonly requests: string[] = [];
  /** The witness's clock, in seconds since 1970. */
  now = (): number => Math.floor(Date.now() / 1_000);
  /** Replaces answers; a promise that never settles simulates a witness that hangs. */
  answering: ((right: Answer) => Answer | Promise<Answer>) | undefined;

  constructor(name: string, seed: number) {
    this.name = name;
    this.#seed = Buffer.alloc(32, seed);
    this.#server = createServer((request, response) => {
      void text(request)
        .then((sent) => this.answer(request.method, request.url, sent))
        .then(({ status, body = '', type = 'text/plain' }) =>
          response.writeHead(status, { 'Content-Type': type }).end(body),
        );
    });
  }

  async start(): Promise<this> {
    this.url = `http://127.0.0.1:${await listen(this.#server)}/witness`;
    return this;
  }

  /** Returns the key in the format of verifiers. */
  get key(): string {
    const material = Buffer.concat([Buffer.of(4), publicKeyOf(this.#seed)]);
    return `${this.name}+${this.keyId.toString('hex')}+${material.toString('base64')}`;
  }

  private get keyId(): Buffer {
    return sha256(Buffer.from(`${this.name}\n`), Buffer.of(4), publicKeyOf(this.#seed)).subarray(0, 4);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Sets the keys of a log and keeps its last cosigned tree. */
  know(...keys: string[]): void {
    const origin = keys[0]!.split('+')[0]!;
    this.#logs.set(origin, { keys, head: this.headOf(origin) ?? { size: 0, root: EMPTY } });
  }

  headOf(origin: string): Head | undefined {
    return this.#logs.get(origin)?.head;
  }

  /** Overwrites the last cosigned tree. */
  believe(origin: string, head: Head): void {
    this.#logs.get(origin)!.head = head;
  }

  /** Returns the signature line for a checkpoint. */
  cosign(text: string): string {
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(this.now()));
    const message = Buffer.from(`cosignature/v1\ntime ${this.now()}\n${text}`);
    const bytes = Buffer.concat([this.keyId, time, signEd25519(this.#seed, message)]);
    return `— ${this.name} ${bytes.toString('base64')}\n`;
  }

  private async answer(method = '', url = '', body: string): Promise<Answer> {
    this.requests.push(body);
    const right: Answer =
      method === 'POST' && url === '/witness/add-checkpoint' ? this.addCheckpoint(body) : { status: 405 };
    return this.answering ? this.answering(right) : right;
  }

  private addCheckpoint(body: string): Answer {
    const [, old = '', proofLines = '', note = ''] = BODY.exec(body) ?? [];
    const [, text, origin = '', sizeText, root = '', lines = ''] = CHECKPOINT.exec(note) ?? [];
    const proof = proofLines.split('\n').slice(0, -1);
    if (text === undefined || proof.length > 63) return { status: 400 };
    const log = this.#logs.get(origin);
    if (!log) return { status: 404 };
    if (!isSignedBy(text, lines, log.keys)) return { status: 403 };
    const [oldSize, size] = [Number(old), Number(sizeText)];
    if (oldSize > size) return { status: 400 };
    if (oldSize !== log.head.size)
      return { status: 409, body: `${log.head.size}\n`, type: 'text/x.tlog.size' };
    if (size === 0 && root !== EMPTY) return { status: 422 };
    if (!continues(log.head, { size, root }, proof)) return { status: 422 };
    log.head = { size, root };
    return { status: 200, body: this.cosign(text) };
  }
}

/** Tells whether a known key has signed, and no known key wrongly. */
function isSignedBy(text: string, lines: string, keys: readonly string[]): boolean {
  const signatures = lines
    .split('\n')
    .slice(0, -1)
    .map((line): Signature => {
      const [, name = '', base64 = ''] = line.split(' ');
      return { name, bytes: Buffer.from(base64, 'base64') };
    });
  const verified = keys.flatMap((key) => {
    const [, name, id, material] = /^(.+)\+([0-9a-f]{8})\+(.+)$/.exec(key)!;
    const publicKey = Buffer.from(material!, 'base64').subarray(1);
    return signatures
      .filter((one) => one.name === name && one.bytes.subarray(0, 4).toString('hex') === id)
      .map(({ bytes }) => verifyEd25519(publicKey, Buffer.from(text), bytes.subarray(4)));
  });
  return verified.length > 0 && verified.every(Boolean);
}

/** Verifies a consistency proof by the recursion of RFC 6962, read backwards. */
function continues(before: Head, after: Head, proof: readonly string[]): boolean {
  if (before.size === 0) return proof.length === 0;
  if (before.size === after.size) return proof.length === 0 && before.root === after.root;
  const hashes = proof.map((hash) => Buffer.from(hash, 'base64'));
  // Returns the roots of the first leaves and of all of a subtree, and takes the hashes from the end of the proof.
  const roots = (first: number, all: number, isWhole: boolean): readonly [Buffer, Buffer] | undefined => {
    if (first === all) {
      const root = isWhole ? Buffer.from(before.root, 'base64') : hashes.pop();
      return root && [root, root];
    }
    let left = 1;
    while (left * 2 < all) left *= 2;
    const sibling = hashes.pop();
    if (!sibling) return undefined;
    const inner = first <= left ? roots(first, left, isWhole) : roots(first - left, all - left, false);
    if (!inner) return undefined;
    return first <= left
      ? [inner[0], node(inner[1], sibling)]
      : [node(sibling, inner[0]), node(sibling, inner[1])];
  };
  const found = roots(before.size, after.size, true);
  return (
    hashes.length === 0 &&
    found?.[0].toString('base64') === before.root &&
    found[1].toString('base64') === after.root
  );
}
