import { TransparencyWorker } from '../../src/transparency/transparency-worker.js';
import type { TestApp } from './app.js';
import { until } from './until.js';

/** Returns the warnings of readiness, once the service is ready: on a busy machine read models may lag for a while. */
export function warningsOf({ service, request }: TestApp): Promise<readonly string[]> {
  return until(async () => {
    await service.app.get(TransparencyWorker).refreshWarnings();
    const { status, body } = await request.get('/api/readiness/');
    return status === 200 && ((body.warnings ?? []) as string[]);
  });
}
