import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.js';

/** Connection pooler between a process and PostgreSQL, as PgBouncer is in one of its modes. */
export interface Pooler {
  readonly url: string;
  close(): Promise<void>;
}

/** Answers to a startup message, the first process id of which no server has. */
const LOGIN = Buffer.from('R\0\0\0\x08\0\0\0\0K\0\0\0\x0c\x7f\0\0\0\0\0\0\x01Z\0\0\0\x05I', 'latin1');
const READY = 'Z'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

/**
 * Starts a pooler for a server that trusts its clients. In mode `session` each client has a session of the server until it
 * leaves; in mode `transaction` all share one session, and one client after the other has it for a transaction.
 */
export async function startPooler(databaseUrl: string, mode: 'session' | 'transaction'): Promise<Pooler> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const shared = mode === 'transaction' ? new Session(target, sockets) : undefined;
  const server = createServer((client) => {
    sockets.add(client.on('error', () => undefined));
    client.once('data', () => {
      const session = shared ?? new Session(target, sockets);
      if (!shared) client.once('close', () => session.close());
      client.write(LOGIN);
      client.on('data', (chunk) => {
        if (chunk[0] === TERMINATE) client.end();
        else session.send(client, chunk);
      });
    });
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.searchParams.delete('host');
  url.port = String(await listen(server));
  return {
    url: url.href,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Session of the server, which one client has at a time. */
class Session {
  readonly #server: Socket;
  readonly #waiting: { client: Socket; chunk: Buffer }[] = [];
  #client: Socket | undefined;
  #isOpen = false;
  #answer = Buffer.alloc(0);

  constructor(target: URL, sockets: Set<Socket>) {
    this.#server = connect(Number(target.port), target.hostname);
    sockets.add(this.#server.on('error', () => undefined));
    const names = `user\0${decodeURIComponent(target.username)}\0database\0${target.pathname.slice(1)}\0\0`;
    const startup = Buffer.from(`\0\0\0\0\0\x03\0\0${names}`);
    startup.writeInt32BE(startup.length);
    this.#server.write(startup);
    this.#server.on('data', (chunk) => this.#receive(chunk));
  }

  send(client: Socket, chunk: Buffer): void {
    if (!this.#isOpen || (this.#client && this.#client !== client)) this.#waiting.push({ client, chunk });
    else {
      this.#client = client;
      this.#server.write(chunk);
    }
  }

  close(): void {
    this.#server.destroy();
  }

  /** Passes on whole messages. When the server is ready outside a transaction, another client has its turn. */
  #receive(chunk: Buffer): void {
    this.#answer = Buffer.concat([this.#answer, chunk]);
    while (this.#answer.length >= 5 && this.#answer.length > this.#answer.readInt32BE(1)) {
      const length = this.#answer.readInt32BE(1) + 1;
      const message = this.#answer.subarray(0, length);
      this.#answer = this.#answer.subarray(length);
      if (this.#isOpen) this.#client?.write(message);
      if (message[0] !== READY) continue;
      this.#isOpen = true;
      if (message[5] !== 'I'.charCodeAt(0)) continue;
      this.#client = undefined;
      for (const { client, chunk: sent } of this.#waiting.splice(0)) this.send(client, sent);
    }
  }
}
