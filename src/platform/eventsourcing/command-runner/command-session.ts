import type { DomainEvent } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { FoldedStream } from './folded-stream.js';

type AnyStream = FoldedStream<unknown, DomainEvent>;

/**
 * Holds the time of one command and every stream that it has loaded, for its steps and for the policies that follow its
 * events: the clock is asked once, and each stream is read once. Appends keep the loaded streams up to date, as long as
 * all writes of the command are made with its session.
 */
export class CommandSession {
  #now: Promise<Instant> | undefined;
  readonly #streams = new Map<string, Promise<AnyStream>>();
  readonly #loaded = new Map<string, AnyStream>();

  now(ask: () => Promise<Instant>): Promise<Instant> {
    return (this.#now ??= ask());
  }

  /** Returns the stream as it was loaded before, or as the command's own append left it; else loads it. */
  load(stream: string, load: () => Promise<AnyStream>): Promise<AnyStream> {
    const known = this.#streams.get(stream);
    if (known) return known;
    const loading = load();
    this.#streams.set(stream, loading);
    loading.then(
      (loaded) => this.#streams.get(stream) === loading && this.#loaded.set(stream, loaded),
      () => this.forget(stream),
    );
    return loading;
  }

  /** Undefined while the command has not loaded the stream. */
  loaded(stream: string): AnyStream | undefined {
    return this.#loaded.get(stream);
  }

  /** Keeps a stream as the command's own append left it. */
  keep(stream: string, appended: AnyStream): void {
    this.#streams.set(stream, Promise.resolve(appended));
    this.#loaded.set(stream, appended);
  }

  /** Reads the stream again the next time, as others have written to it. */
  forget(stream: string): void {
    this.#streams.delete(stream);
    this.#loaded.delete(stream);
  }

  /** Begins again with the present: what was read is out of date. */
  restart(): void {
    this.#now = undefined;
    this.#streams.clear();
    this.#loaded.clear();
  }
}

/** An organization; in a command its context, so that a stream that the command has loaded is not read again. */
export type ReadScope = Uuid | { readonly org: Uuid; readonly session?: CommandSession | undefined };

export const orgOf = (scope: ReadScope): Uuid => (typeof scope === 'string' ? scope : scope.org);

export const sessionOf = (scope: ReadScope): CommandSession | undefined =>
  typeof scope === 'string' ? undefined : scope.session;
