import type { Vocabulary } from './vocabulary.js';

/** A group of operations, as the document shows them together and generators make files of them. */
interface ApiTag {
  readonly name: string;
  readonly description: string;
  /** The first segments after `/api/` of the paths in this group. */
  readonly paths: readonly string[];
}

/** The Info Object of the document, and its tags. */
export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  readonly description: string;
  readonly license: { readonly name: string; readonly identifier: string };
  readonly tags: readonly ApiTag[];
  readonly vocabulary: Vocabulary;
}

/** Injection token of the ApiInfo. */
export const API_INFO = Symbol('ApiInfo');
