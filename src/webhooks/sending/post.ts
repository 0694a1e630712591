import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isInternal, literalAddress, lookupOutside, TargetRefused } from './targets.js';

/** So long an attempt takes at most, from the look-up of the name to the status of the answer. */
const WITHIN_MS = 15_000;

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Targets in private networks, too. */
  readonly allowInternal: boolean;
  readonly withinMs?: number;
}

/** The receiver used up its time. */
class DeliveryTimedOut extends Error {
  override readonly name = 'DeliveryTimedOut';
  constructor(withinMs: number) {
    super(`the endpoint did not answer within ${withinMs / 1_000} s`);
  }
}

/**
 * Sends one POST to an address that a tenant named: over a new connection, to an address that was checked, without
 * following redirects and without reading the body of the answer. It settles within `withinMs`, whatever the receiver
 * does, and the connection is closed by then. A timer of its own does that: on Node 20 the garbage collector takes an
 * `AbortSignal.timeout` that only `AbortSignal.any` refers to, and then it never fires.
 * @returns the status of the answer @throws Error, TargetRefused, DeliveryTimedOut
 */
export function post(
  { url, headers, body, allowInternal, withinMs = WITHIN_MS }: PostRequest,
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
