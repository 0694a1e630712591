import { connect, createServer, type Socket } from 'node:net';

/** When the next append passes: lose it on its way, let it through and lose the answer, or do nothing. */
type Fault = 'lose the append' | 'lose its answer' | undefined;

export interface PostgresProxy {
  /** The database behind the proxy. */
  readonly url: string;
  fault: Fault;
  /** Breaks every connection there is; new ones are served. */
  cut(): void;
  /** From now on nothing passes, in either direction, until it is false again. */
  stalled: boolean;
  /** From now on connections are broken as they come, until it is false again; those there are break too. */
  down: boolean;
  close(): Promise<void>;
}

/** The name of the statement, as the protocol carries it. */
const APPEND = Buffer.from('append-group\0');

/** Stands between a pool and PostgreSQL and breaks the connection at the moment that matters. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
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
