import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Moment at which a process sends a statement to PostgreSQL. */
export interface Moment {
  /** Name of a prepared statement, or `commit`. */
  readonly statement: string;
  /** Text that the parameters must contain, such as an event type. Absent: any parameters match. */
  readonly about?: string;
  /**
   * `before`: the statement does not reach the server. `after`: the server executes it, but the process does not receive
   * the answer.
   */
  readonly when: 'before' | 'after';
  /** Number of the occurrence, counted since the moment was first armed; 1 is the next one. */
  readonly nth: number;
}

export interface KillingProxy {
  /** URL of the database through the proxy. */
  readonly url: string;
  /**
   * Calls `kill` at the first of these moments, and closes the connections of the process. A further call does not
   * reset the counts of occurrences.
   * @returns the moments that occurred: the first one, and any whose statement the server executes without an answer
   * that reaches the process
   */
  arm(moments: readonly Moment[], kill: () => void): Promise<readonly Moment[]>;
  /** Kills now, without waiting for a moment. Returns false when nothing is armed. */
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
  /** Moments that occur with the server's next answer. */
  doom: Moment[];
  /** True once the process of this connection was killed; answers are then dropped. */
  isOver: boolean;
}

/** Simple query message: type, length, text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');
const LONGEST_ANSWER_MS = 5_000;

/**
 * Starts a proxy between a service and PostgreSQL. It kills the service at exact moments, which a signal after a delay
 * would rarely hit.
 */
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
    // A moment can be due on two connections before the first answer.
    struck([...new Set([...met, ...also])]);
  };

  /** Counts the occurrences of armed moments in a message. Returns the moments that are reached. */
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
  url.searchParams.delete('host');
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
