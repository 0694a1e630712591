import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../telemetry/logger.js';

const LOOK_EVERY_MS = 1_000;
/** A server that takes longer to answer `select 1` answers nobody: no lock and no disk is needed for it. */
const LONGEST_ANSWER_MS = 3_000;
/** An answer may lie in the socket unread, when this process was held up itself: it gets this long to be seen. */
const READ_WITHIN_MS = 250;

type Ping = 'answered' | 'refused' | 'silent';
type Connected = (error: Error) => void;
/** The socket of a connection, which the driver's types leave out. */
interface Wire {
  readonly connection: { readonly stream: { destroy(error: Error): void } };
}

/**
 * Asks PostgreSQL every second, on a connection of its own, whether it answers at all. A server that is frozen keeps its
 * connections open and says nothing, so no statement would ever fail: once it is silent for 3 s, every connection of the
 * process is broken off and new ones are refused at once, until it answers again. A long statement of a server that
 * answers is left alone.
 */
export class DatabaseWatchdog {
  readonly #clients = new Set<pg.Client>();
  readonly #stopping = new AbortController();
  #session: pg.Client | undefined;
  #running: Promise<void> | undefined;
  #refusal: Error | undefined;

  constructor(
    private readonly url: string,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    breakOff(this.#session, new Error('Connection terminated: the watch ends.'));
    await this.#running;
  }

  /** Connections that this watch breaks off: for the pool that makes them. */
  readonly client = watchedBy(this);

  /** Why a new connection is refused; undefined while the server answers, and the connection is watched. */
  admit(client: pg.Client): Error | undefined {
    if (this.#refusal) return this.#refusal;
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
    return undefined;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const ping = await this.#ping();
      if (signal.aborted) break;
      if (ping !== 'answered') this.#session = undefined;
      if (ping === 'silent') this.#refuse();
      else if (this.#refusal) {
        this.#refusal = undefined;
        this.log.info({}, 'The database answers again.');
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
    await this.#session?.end().catch(() => undefined);
  }

  #refuse(): void {
    if (!this.#refusal) this.log.error({}, 'The database does not answer. Its connections are broken off.');
    this.#refusal ??= new Error('Connection terminated: the database does not answer.');
    for (const client of this.#clients) breakOff(client, this.#refusal);
    this.#clients.clear();
  }

  /** A server that refuses a connection has said something: statements fail by themselves. */
  async #ping(): Promise<Ping> {
    const session = (this.#session ??= this.#open());
    const asked = session.query('select 1').then(
      (): Ping => 'answered',
      (): Ping => 'refused',
    );
    const { signal } = this.#stopping;
    const silence = (async (): Promise<Ping> => {
      await sleep(LONGEST_ANSWER_MS, undefined, { signal }).catch(() => undefined);
      await sleep(READ_WITHIN_MS, undefined, { signal }).catch(() => undefined);
      return 'silent';
    })();
    const ping = await Promise.race([asked, silence]);
    if (ping !== 'answered') breakOff(session, new Error('Connection terminated: no answer.'));
    return ping;
  }

  #open(): pg.Client {
    const session = new pg.Client({ connectionString: this.url, application_name: 'recount watch' });
    session.on('error', () => undefined);
    session.connect().catch(() => undefined);
    return session;
  }
}

function watchedBy(watch: DatabaseWatchdog): typeof pg.Client {
  return class WatchedClient extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | void {
      const refusal = watch.admit(this);
      if (!refusal) return callback ? super.connect(callback) : super.connect();
      return callback ? process.nextTick(callback, refusal) : Promise.reject(refusal);
    }
  };
}

const breakOff = (client: pg.Client | undefined, error: Error): void =>
  (client as unknown as Wire | undefined)?.connection.stream.destroy(error);
