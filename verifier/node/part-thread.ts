import { availableParallelism } from 'node:os';
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { SharedEvidence } from '../bundle.js';
import { Archive } from '../read-archive.js';
import { BundleFiles, readManifest } from '../read-manifest.js';
import { RefusedBundle } from '../refused-bundle.js';
import { PartVerifier, type VerifiedPart } from '../verify-part.js';
import type { PartWorker } from '../verify-parts.js';
import { YOUNG_SPACE_MB } from './limit-memory.js';
import { nodePlatform, openFile } from './node-platform.js';

interface ThreadData {
  readonly file: string;
  readonly shared: SharedEvidence;
}

type Answer =
  | { readonly verified: VerifiedPart }
  | { readonly failed: { readonly message: string; readonly isRefusal: boolean } };

/** Thread that verifies parts of a file. Close it when all are verified. */
export interface PartThread extends PartWorker {
  close(): Promise<unknown>;
}

/** Smallest number of parts for a second thread: fewer are verified before it has started. */
const PARTS_FOR_TWO = 3;

/**
 * Starts a second thread for a bundle of several parts, if the machine has two processors.
 * @param entry module that calls `serveParts` in a thread
 */
export function startPartThread(
  entry: URL,
  file: string,
  shared: SharedEvidence,
  parts: number,
): PartThread[] {
  if (parts < PARTS_FOR_TWO || availableParallelism() < 2) return [];
  const data: ThreadData = { file, shared };
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_SPACE_MB };
  const worker = new Worker(entry, { workerData: data, resourceLimits });
  return [
    {
      verify: async (part) => {
        worker.postMessage(part);
        const [answer] = (await once(worker, 'message')) as [Answer];
        if ('verified' in answer) return answer.verified;
        const { message, isRefusal } = answer.failed;
        throw isRefusal ? new RefusedBundle(message) : new Error(message);
      },
      close: () => worker.terminate(),
    },
  ];
}

/** Verifies the parts that the first thread requests. */
export async function serveParts(): Promise<void> {
  const { file, shared } = workerData as ThreadData;
  const source = await openFile(file);
  const archive = await Archive.open(source, nodePlatform);
  const verifier = new PartVerifier(new BundleFiles(archive, await readManifest(archive)), shared);
  parentPort!.on('message', (part: number) => {
    verifier.verify(part).then(
      (verified) => parentPort!.postMessage({ verified } satisfies Answer),
      (error: Error) => {
        const isRefusal = error instanceof RefusedBundle;
        parentPort!.postMessage({ failed: { message: error.message, isRefusal } } satisfies Answer);
      },
    );
  });
}
