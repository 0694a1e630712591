/** Bytes that have arrived of each archive under way, by the path of its address. */
const received = new Map<string, number>();
const listeners = new Set<() => void>();

function note(path: string, bytes: number | undefined): void {
  if (bytes === undefined) received.delete(path);
  else received.set(path, bytes);
  for (const listener of listeners) listener();
}

/** Counts the bytes of an archive while they arrive; any other answer stays as it is. */
export function countingBytes(response: Response): Response {
  if (response.body === null || !/zip/.test(response.headers.get('content-type') ?? '')) return response;
  const { pathname } = new URL(response.url);
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    start: () => note(pathname, 0),
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      note(pathname, bytes);
      controller.enqueue(chunk);
    },
    flush: () => note(pathname, undefined),
  });
  return new Response(response.body.pipeThrough(count), response);
}

export function subscribeToBytes(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Undefined until the first byte. */
export const receivedBytes = (path: string): number | undefined => received.get(path);
