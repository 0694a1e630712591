import { formatDay } from './instant.js';

/** Name of an invoice line with its days in the reader's language: a line for late usage names its window. */
export const lineName = (name: string): string => name.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, formatDay);
