import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.js';

/** Fault at the next append: the append is lost, or its answer is, silently or with the error of a connection pooler. */
type Fault = 'lose the append' | 'lose its answer' | 'answer like a pooler that lost its server' | undefined;

export interface PostgresProxy {
  /** The database behind the proxy. */
  readonly url: string;
  fault: Fault;
  /** Breaks all open connections; new ones are accepted. */
  cut(): void;
  /** Stops all data in both directions while true. */
  stalled: boolean;
  /** Breaks all connections, new ones included, while true. */
  down: boolean;
  close(): Promise<void>;
}

/** Name of the append's prepared statement in the protocol. */
const APPEND = Buffer.from('append-group\0');

/** Error with which PgBouncer ends the connection of a client whose server is gone. */
const POOLER_ERROR = Buffer.concat([
  Buffer.from('E\0\0\0\0'),
  Buffer.from('SFATAL\0VFATAL\0C08P01\0Mserver conn crashed in a query?\0\0'),
]);
POOLER_ERROR.writeInt32BE(POOLER_ERROR.length - 1, 1);

/** Starts a proxy between a pool and PostgreSQL that breaks connections on demand. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  let isStalled = false;
  let isDown = false;
  const server = createServer((client) => {
    if (isDown) return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    sockets.add(client).add(upstream);
    if (isStalled) [client, upstream].forEach((socket) => socket.pause());
    let isAnswerLost = false;
    let isPooler = false;
    client.on('data', (chunk) => {
      if (proxy.fault !== undefined && chunk.includes(APPEND)) {
        const isLost = proxy.fault === 'lose the append';
        isAnswerLost = !isLost;
        isPooler = proxy.fault === 'answer like a pooler that lost its server';
        proxy.fault = undefined;
        if (isLost) return client.destroy();
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!isAnswerLost) client.write(chunk);
      else if (isPooler) client.end(POOLER_ERROR);
      else client.destroy();
    });
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        other.destroy();
        sockets.delete(one);
      });
    }
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.searchParams.delete('host');
  url.port = String(await listen(server));
  const proxy: PostgresProxy = {
    url: url.href,
    fault: undefined,
    cut,
    get stalled() {
      return isStalled;
    },
    set stalled(stalled) {
      isStalled = stalled;
      for (const socket of sockets)
        if (stalled) socket.pause();
        else socket.resume();
    },
    get down() {
      return isDown;
    },
    set down(down) {
      isDown = down;
      if (down) cut();
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}
