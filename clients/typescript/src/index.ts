export * from './errors.js';
export { Recount } from './generated/recount.js';
export type * from './generated/schema.js';
export * from './generated/values.js';
export { type Page, Pages } from './pages.js';
export type { ApiRequest, Metadata, RecountOptions, RequestOptions } from './transport.js';
