import { anySignal } from '../platform/concurrency/signals.js';

/** Limits of an answer, far above the size of a note. */
const LONGEST_ANSWER = 64 * 1024;

interface PeerRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Headers | Record<string, string>;
  readonly body?: string;
  readonly withinMs: number;
}

export interface PeerAnswer {
  readonly status: number;
  readonly body: string;
}

/** A peer gave no usable answer. The message completes a sentence about the peer. */
export class PeerUnavailable extends Error {
  override readonly name = 'PeerUnavailable';
}

/**
 * Sends a request to a service that the operator configured, over a connection that is kept for the next
 * request. It follows no redirects.
 * @throws PeerUnavailable, also for an answer above the limit
 */
export async function askPeer(
  { url, withinMs, ...request }: PeerRequest,
  stopping: AbortSignal,
): Promise<PeerAnswer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), withinMs);
  const { signal, release } = anySignal(late.signal, stopping);
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal });
    return { status: response.status, body: await textOf(response) };
  } catch (error) {
    if (error instanceof PeerUnavailable) throw error;
    if (late.signal.aborted) throw new PeerUnavailable(`did not answer within ${withinMs / 1_000} s`);
    // `fetch` has the reason as the cause of its error.
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    throw new PeerUnavailable(`cannot be reached (${code ?? message})`);
  } finally {
    clearTimeout(timer);
    release();
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > LONGEST_ANSWER) throw new PeerUnavailable(`answered more than ${LONGEST_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
