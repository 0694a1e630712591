import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isInternal, literalAddress, lookupOutside, TargetRefused } from './targets.js';

/** Timeout of a try, from the DNS lookup to the status of the answer. */
const TIMEOUT_MS = 15_000;

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Allows targets in private networks. */
  readonly allowInternal: boolean;
  readonly withinMs?: number;
}

/** The receiver did not answer in time. */
class DeliveryTimedOut extends Error {
  override readonly name = 'DeliveryTimedOut';
  constructor(withinMs: number) {
    super(`the endpoint did not answer within ${withinMs / 1_000} s`);
  }
}

/**
 * Sends a POST to a URL that a tenant chose: over a new connection to a checked address, without following redirects and
 * without reading the body of the answer. It settles within `withinMs`, and the connection is closed by then. It uses a
 * timer of its own: Node 20 collects an `AbortSignal.timeout` that only `AbortSignal.any` refers to, which then never
 * fires.
 * @returns the status of the answer @throws Error, TargetRefused, DeliveryTimedOut
 */
export function post(
  { url, headers, body, allowInternal, withinMs = TIMEOUT_MS }: PostRequest,
  stopping: AbortSignal,
): Promise<number> {
  const target = new URL(url);
  const literal = literalAddress(target);
  if (!allowInternal && literal !== undefined && isInternal(literal))
    return Promise.reject(new TargetRefused());
  return new Promise((resolve, reject) => {
    const request = (target.protocol === 'https:' ? overHttps : overHttp)(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        agent: false,
        signal: stopping,
        ...(allowInternal ? {} : { lookup: lookupOutside }),
      },
      (response) => {
        clearTimeout(timer);
        resolve(response.statusCode!);
        response.destroy();
      },
    );
    const timer = setTimeout(() => {
      const error = new DeliveryTimedOut(withinMs);
      reject(error);
      request.destroy(error);
    }, withinMs);
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end(body);
  });
}
