import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './platform/config/config.js';
import { isStoreDown } from './platform/eventsourcing/store/store-down.js';
import type { Logger } from './platform/telemetry/logger.js';
import { openWaitingServers } from './waiting-servers.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 3_000;

/** The process was told to stop before it had started. */
export class StartStopped extends Error {
  override readonly name = 'StartStopped';
}

/**
 * Opens the stores, and retries while a store is unavailable: a process that ended instead would have to be
 * started again. Meanwhile its ports answer that it is alive and not ready.
 * @param discard closes a result that arrives after the stop
 * @throws StartStopped when the signal aborts; any error of `open` but that of an unavailable store
 */
export async function awaitStores<Opened>(
  config: Config,
  logger: Logger,
  { open, discard }: { open: () => Promise<Opened>; discard: (opened: Opened) => Promise<void> },
  signal: AbortSignal,
): Promise<Opened> {
  let servers: Awaited<ReturnType<typeof openWaitingServers>> | undefined;
  let lastReason: string | undefined;
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await unlessStopped(open(), discard, signal);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        const reason = (error as Error).message;
        servers ??= await openWaitingServers(config);
        if (reason !== lastReason)
          logger.warn({ reason }, 'A store is unavailable. The process waits for it.');
        lastReason = reason;
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await servers?.close();
  }
}

/** An unavailable store does not answer. A store that refuses the login is not retried. */
const isUnavailable = (error: unknown): boolean =>
  isStoreDown(error) || (error instanceof Error && isStoreDown(error.cause));

/** An attempt lasts as long as its connection. A stop does not wait for it. */
async function unlessStopped<Opened>(
  opening: Promise<Opened>,
  discard: (opened: Opened) => Promise<void>,
  signal: AbortSignal,
): Promise<Opened> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new StartStopped('The process was stopped while it started.'));
  });
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    return await Promise.race([opening, stopped]);
  } catch (error) {
    if (error instanceof StartStopped) opening.then(discard).catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
