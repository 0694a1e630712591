import { connect, createServer, type Socket } from 'node:net';

/** When the next append passes: lose it on its way, let it through and lose the answer, or do nothing. */
type Fault = 'lose the append' | 'lose its answer' | undefined;

export interface PostgresProxy {
  /** The database behind the proxy. */
  readonly url: string;
  fault: Fault;
  close(): Promise<void>;
}

/** The name of the statement, as the protocol carries it. */
const APPEND = Buffer.from('append-group\0');

/** Stands between a pool and PostgreSQL and breaks the connection at the moment that matters. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    sockets.add(client).add(upstream);
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
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}
