import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterFolder } from './cluster-folder.js';
import { isAlive } from './run-program.js';
import { adoptServer, startServer, takeOwnership, type RunningServer } from './postgres-server.js';

/** Interval of the checks, and the time the server has to come back before the process gives up. */
export interface SupervisionTimes {
  readonly everyMs: number;
  readonly abandonAfterMs: number;
}

const TIMES: SupervisionTimes = { everyMs: 500, abandonAfterMs: 60_000 };

/**
 * Starts the embedded server again, on the same port, when it ended without being told to: it was killed, or it
 * stopped itself because the disk was full. Of several processes on one server, the owner does so; a process takes
 * over from an owner that is gone. `lost` resolves with a sentence when the server does not come back.
 */
export class ServerSupervisor {
  readonly lost: Promise<Error>;
  private readonly stopping = new AbortController();
  private readonly watching: Promise<void>;

  constructor(
    private readonly folder: ClusterFolder,
    private server: RunningServer,
    private readonly onRestart: (server: RunningServer) => void,
    private readonly times: SupervisionTimes = TIMES,
  ) {
    let reportLost: (error: Error) => void;
    this.lost = new Promise((resolve) => (reportLost = resolve));
    this.watching = this.watch((error) => reportLost(error));
  }

  /** Ends the watch, also while the server is being started: a server that was asked to stop stays stopped. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.watching;
  }

  private async watch(reportLost: (error: Error) => void): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await sleep(this.times.everyMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted || isAlive(this.server.pid)) continue;
      const failure = await this.restartServer();
      if (failure) return reportLost(failure);
    }
  }

  private async restartServer(): Promise<Error | undefined> {
    const { signal } = this.stopping;
    const { port } = this.server;
    const until = performance.now() + this.times.abandonAfterMs;
    let reason = 'the process that owns it has not started it again';
    while (!signal.aborted) {
      try {
        const found = takeOwnership(this.folder)
          ? await startServer(this.folder, true, port)
          : await adoptServer(this.folder);
        if (found && found.port !== port) {
          return new Error(
            `The embedded PostgreSQL came back on port ${found.port} instead of ${port}: start this process again.`,
          );
        }
        if (found) {
          this.server = found;
          this.onRestart(found);
          return undefined;
        }
      } catch (error) {
        reason = (error as Error).message;
      }
      if (performance.now() > until) {
        return new Error(
          `The embedded PostgreSQL in ${this.folder.path} ended and cannot be started again: ${reason}`,
        );
      }
      await sleep(this.times.everyMs, undefined, { signal, ref: false }).catch(() => {});
    }
    return undefined;
  }
}
