import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.js';

/** Fault at the next append: the append is lost, or its answer is. */
type Fault = 'lose the append' | 'lose its answer' | undefined;

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
    client.on('data', (chunk) => {
      if (proxy.fault !== undefined && chunk.includes(APPEND)) {
        const isLost = proxy.fault === 'lose the append';
        isAnswerLost = !isLost;
        proxy.fault = undefined;
        if (isLost) return client.destroy();
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => (isAnswerLost ? client.destroy() : client.write(chunk)));
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
