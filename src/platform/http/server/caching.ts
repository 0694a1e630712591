import type { NextFunction, Request, Response } from 'express';

/** Answers are one organization's own, and true at this moment. */
export const NO_STORE = 'no-store';
/** The API document and its page are the same for everybody until the next release. */
export const DOCS_CACHE = 'public, max-age=300';

/** No answer is kept by anybody, and none is given to a caller with another key. The docs say otherwise for themselves. */
export function forbidCaching(_: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', NO_STORE);
  response.setHeader('Vary', 'Authorization, X-API-KEY');
  next();
}
