import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A moment in a process's life, by what it says to PostgreSQL. */
export interface Moment {
  /** A named statement, or `commit`. */
  readonly statement: string;
  /** A text among the statement's parameters, such as an event type; any when absent. */
  readonly about?: string;
  /** Before it reaches the server, or after the server has done it and before the process hears of it. */
  readonly when: 'before' | 'after';
  /** At which occurrence since it was armed first: 1 is the next. */
  readonly nth: number;
}

export interface KillingProxy {
  /** The database behind the proxy. */
  readonly url: string;
  /**
   * Calls `kill` at the first of these moments, and cuts the process off in that instant. Occurrences are counted on
   * over several arms.
   * @returns which it was, and those that came with it: what had reached the server is done, and nobody hears of it
   */
  arm(moments: readonly Moment[], kill: () => void): Promise<readonly Moment[]>;
  /** Strikes now, at no moment of its own. False when nothing is armed. */
  strike(): boolean;
  disarm(): void;
  close(): Promise<void>;
}

interface Armed {
  readonly moments: readonly Moment[];
  readonly kill: () => void;
  readonly struck: (met: readonly Moment[]) => void;
}

interface Line {
  readonly client: Socket;
  readonly upstream: Socket;
  /** The moments that the server's next answer is the end of. */
  doom: Moment[];
  /** Whoever it answered is dead. */
  isOver: boolean;
}

/** A simple query message: type, length, text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');
const LONGEST_ANSWER_MS = 5_000;

/** Stands between a service and PostgreSQL, and ends the service at a moment that a signal would never hit. */
export async function startKillingProxy(databaseUrl: string): Promise<KillingProxy> {
  const target = new URL(databaseUrl);
  const lines = new Set<Line>();
  const left = new Map<Moment, number>();
  let armed: Armed | undefined;

  const cut = ({ client, upstream }: Line): void => void (client.destroy(), upstream.destroy());

  const strike = async (met: readonly Moment[]): Promise<void> => {
    const { kill, struck } = armed!;
    armed = undefined;
    kill();
    const owed = [...lines].filter(({ doom }) => doom.length > 0);
    const also = owed.flatMap(({ doom }) => doom);
    for (const line of lines) line.isOver = true;
    for (const line of lines) if (!owed.includes(line)) cut(line);
    for (const until = performance.now() + LONGEST_ANSWER_MS; performance.now() < until; await sleep(5))
      if (owed.every((line) => line.doom.length === 0 || !lines.has(line))) break;
    owed.forEach(cut);
    struck([...met, ...also]);
  };

  /** The moments that a message is the occurrence of for which they wait. */
  const dueIn = (chunk: Buffer): Moment[] =>
    (armed?.moments ?? []).filter((moment) => {
      if (!isMoment(chunk, moment)) return false;
      const count = left.get(moment)! - 1;
      left.set(moment, count);
      return count <= 0;
    });

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const line: Line = { client, upstream, doom: [], isOver: false };
    lines.add(line);
    client.on('data', (chunk) => {
      const due = dueIn(chunk);
      const before = due.filter(({ when }) => when === 'before');
      if (before.length > 0) return void strike(before);
      line.doom.push(...due);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      const met = line.doom;
      line.doom = [];
      if (met.length > 0 && armed) void strike(met);
      else if (!line.isOver) client.write(chunk);
    });
    client.on('error', () => undefined).on('close', () => line.doom.length > 0 || upstream.destroy());
    upstream
      .on('error', () => undefined)
      .on('close', () => {
        client.destroy();
        lines.delete(line);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    arm: (moments, kill) =>
      new Promise((struck) => {
        for (const moment of moments) if (!left.has(moment)) left.set(moment, moment.nth);
        armed = { moments, kill, struck };
      }),
    strike: () => {
      if (!armed) return false;
      void strike([]);
      return true;
    },
    disarm: () => (armed = undefined),
    close: () => {
      lines.forEach(cut);
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function isMoment(chunk: Buffer, { statement, about }: Moment): boolean {
  const isStatement = statement === 'commit' ? chunk.includes(COMMIT) : chunk.includes(`${statement}\0`);
  return isStatement && (about === undefined || chunk.includes(about));
}
