/** Longest time that a page waits for a service that asks it to. */
export const LONGEST_WAIT_MS = 60_000;
/** Time that the next answer may take, so that a repeated refusal does not blink. */
const ANSWER_MS = 500;

let seconds: number | undefined;
let until = 0;
const listeners = new Set<() => void>();

/** Remembers how long the service asks to wait, until that time is over. */
export function noteWait(response: Response): void {
  const asked = Number(response.headers.get('retry-after') ?? 0);
  if (response.status !== 429 || !(asked > 0) || asked * 1_000 > LONGEST_WAIT_MS) return;
  const end = performance.now() + asked * 1_000 + ANSWER_MS;
  if (end < until) return;
  until = end;
  show(asked);
  setTimeout(() => {
    if (until === end) show(undefined);
  }, end - performance.now());
}

function show(next: number | undefined): void {
  seconds = next;
  for (const listener of listeners) listener();
}

export function subscribeToWait(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Seconds that the service asks to wait; undefined while it does not. */
export const secondsToWait = (): number | undefined => seconds;
