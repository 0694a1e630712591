/** Answers are one organization's own, and true at this moment. */
export const NO_STORE = 'no-store';

/** Headers that forbid caches to store an answer or to give it to a caller with another key. */
export const NOT_STORED = { 'Cache-Control': NO_STORE, Vary: 'Authorization, X-API-KEY' } as const;
