import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../telemetry/logger.js';

/** Beginning of the names of the watchdogs' sessions. */
export const WATCH_SESSION = 'recount watch';

const PING_EVERY_MS = 1_000;
/** A server that takes longer for `select 1`, which needs no lock and no disk, is frozen. */
const LONGEST_ANSWER_MS = 3_000;
/** Part of the wait that one turn of the event loop can use up, however long this process itself was blocked in it. */
const TURN_MS = 250;

const SET_NAME = `select set_config('application_name', $1, false)`;

type Ping = 'answered' | 'refused' | 'silent';
type Connected = (error: Error) => void;
/** Socket of a connection, which the driver's types leave out. */
interface ClientWithSocket {
  readonly connection: { readonly stream: { destroy(error: Error): void } };
}

/**
 * Pings PostgreSQL every second on its own connection. A frozen server keeps its connections open, so statements would
 * never fail. After 3 s without an answer the watchdog closes every connection of the process and refuses new ones, until
 * the server answers again. Long statements of a server that answers are not affected.
 */
export class DatabaseWatchdog {
  readonly #clients = new Set<pg.Client>();
  readonly #stopping = new AbortController();
  #session: pg.Client | undefined;
  #running: Promise<void> | undefined;
  #refusal: Error | undefined;

  /** Name of this process's session, by which other processes know of it. */
  readonly name = `${WATCH_SESSION} ${randomUUID()}`;

  constructor(
    private readonly url: string,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    closeSocket(this.#session, new Error('Connection terminated: the watchdog stops.'));
    await this.#running;
  }

  /** Class of the connections that this watchdog closes, for pools. */
  readonly client = watchedBy(this);

  /** Returns why a new connection is refused; undefined while the server answers, and then watches the connection. */
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
      await sleep(PING_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
    await this.#session?.end().catch(() => undefined);
  }

  #refuse(): void {
    if (!this.#refusal) this.log.error({}, 'The database does not answer. All connections are closed.');
    this.#refusal ??= new Error('Connection terminated: the database does not answer.');
    for (const client of this.#clients) closeSocket(client, this.#refusal);
    this.#clients.clear();
  }

  /** Pings once. A refused connection is an answer: statements then fail by themselves. */
  async #ping(): Promise<Ping> {
    // A name in the startup message would be that of the URL, if it has one.
    const statement = this.#session ? 'select 1' : { text: SET_NAME, values: [this.name] };
    const session = (this.#session ??= this.#open());
    const asked = session.query(statement).then(
      (): Ping => 'answered',
      (): Ping => 'refused',
    );
    const { signal } = this.#stopping;
    const silence = (async (): Promise<Ping> => {
      for (let waited = 0; waited < LONGEST_ANSWER_MS; waited += TURN_MS)
        await sleep(TURN_MS, undefined, { signal }).catch(() => undefined);
      return 'silent';
    })();
    const ping = await Promise.race([asked, silence]);
    if (ping !== 'answered') closeSocket(session, new Error('Connection terminated: no answer.'));
    return ping;
  }

  #open(): pg.Client {
    const session = new pg.Client({ connectionString: this.url });
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

const closeSocket = (client: pg.Client | undefined, error: Error): void =>
  (client as unknown as ClientWithSocket | undefined)?.connection.stream.destroy(error);
