/** Answers are one organization's own, and true at this moment. */
export const NO_STORE = 'no-store';

/** Headers of answers that nobody keeps, and that no caller with another key gets. */
export const NOT_STORED = { 'Cache-Control': NO_STORE, Vary: 'Authorization, X-API-KEY' } as const;
