import { anySignal } from '../../platform/concurrency/any-signal.js';

/** Far longer than an answer: a line per key of the witness. */
const LONGEST_ANSWER = 64 * 1024;

interface WitnessAnswer {
  readonly status: number;
  readonly body: string;
}

/** The witness gave no answer that can be read. The message completes "The witness …". */
export class WitnessIsAway extends Error {
  override readonly name = 'WitnessIsAway';
}

/**
 * Posts the body of a request for a cosignature, over a connection that is kept for the next one. Redirects are not
 * followed.
 * @throws WitnessIsAway, also for an answer that is longer than any
 */
export async function askWitness(
  url: string,
  body: string,
  withinMs: number,
  stopping: AbortSignal,
): Promise<WitnessAnswer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), withinMs);
  const { signal, release } = anySignal(late.signal, stopping);
  try {
    const response = await fetch(`${url}/add-checkpoint`, {
      ...{ method: 'POST', body, redirect: 'manual', signal },
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    });
    return { status: response.status, body: await textOf(response) };
  } catch (error) {
    if (error instanceof WitnessIsAway) throw error;
    if (late.signal.aborted) throw new WitnessIsAway(`did not answer within ${withinMs / 1_000} s`);
    // `fetch` tells the reason as the cause of its error.
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    throw new WitnessIsAway(`cannot be asked (${code ?? message})`);
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
    if (length > LONGEST_ANSWER) throw new WitnessIsAway(`answered more than ${LONGEST_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
