import { connect, createServer, type Socket } from 'node:net';

/** A moment in a process's life, by what it says to PostgreSQL. */
export interface Moment {
  /** A named statement, or `commit`. */
  readonly statement: string;
  /** A text among the statement's parameters, such as an event type; any when absent. */
  readonly about?: string;
  /** Before it reaches the server, or after the server has done it and before the process hears of it. */
  readonly when: 'before' | 'after';
  /** At which occurrence from now on: 1 is the next. */
  readonly nth: number;
}

export interface KillingProxy {
  /** The database behind the proxy. */
  readonly url: string;
  /** Calls `kill` at the first of these moments, and cuts the process off in that instant; answers which it was. */
  arm(moments: readonly Moment[], kill: () => void): Promise<Moment>;
  disarm(): void;
  close(): Promise<void>;
}

interface Armed {
  readonly moment: Moment;
  /** Occurrences until it strikes. */
  left: number;
}

/** A simple query message: type, length, text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');

/** Stands between a service and PostgreSQL, and ends the service at a moment that a signal would never hit. */
export async function startKillingProxy(databaseUrl: string): Promise<KillingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let armed: { readonly moments: readonly Armed[]; readonly strike: (moment: Moment) => void } | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let doom: Moment | undefined;
    const strike = (moment: Moment): void => {
      const { strike: hit } = armed!;
      armed = undefined;
      hit(moment);
      for (const socket of sockets) socket.destroy();
    };
    client.on('data', (chunk) => {
      for (const one of armed?.moments ?? []) {
        if (doom || !isMoment(chunk, one.moment) || (one.left -= 1) > 0) continue;
        if (one.moment.when === 'before') return strike(one.moment);
        doom = one.moment;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => (doom && armed ? strike(doom) : client.write(chunk)));
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(one);
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
  return {
    url: url.href,
    arm: (moments, kill) =>
      new Promise((resolve) => {
        armed = {
          moments: moments.map((moment) => ({ moment, left: moment.nth })),
          strike: (moment) => {
            kill();
            resolve(moment);
          },
        };
      }),
    disarm: () => (armed = undefined),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function isMoment(chunk: Buffer, { statement, about }: Moment): boolean {
  const isStatement = statement === 'commit' ? chunk.includes(COMMIT) : chunk.includes(`${statement}\0`);
  return isStatement && (about === undefined || chunk.includes(about));
}
