import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rejected } from './rejected.js';

/** A worked case of `cases/*.json`: input and expected result, in words and figures. */
export interface GoldenCase {
  readonly id: string;
  readonly area: string;
  readonly given: string;
  readonly when: string;
  readonly then: string;
  /** Calculation of the figures in minor units: num ÷ den rounds to minor. */
  readonly check?: readonly { readonly num: string; readonly den: string; readonly minor: number }[];
  readonly model?: Model;
  /** Cases of the interface only: expected content of the answers. */
  readonly expect?: Readonly<Record<string, unknown>>;
}

/** A case in terms of this product; `kind` selects the test that proves it. */
export interface Model {
  readonly kind: string;
}

/** A model with the name of its case: `id`, or `id#2` for the second of several. */
export interface Named<M extends Model> {
  readonly id: string;
  readonly model: M;
}

const read = (file: string): readonly GoldenCase[] =>
  (JSON.parse(readFileSync(path.join(import.meta.dirname, 'cases', file), 'utf8')) as GoldenCase[]).filter(
    ({ id }) => !(id in rejected),
  );

/** Cases of other billing engines, in terms of this product. */
export const peers = read('peers.json');
/** Worked cases of the interface. */
export const reference = read('reference.json');

/** Returns every model of a kind, those inside `all` individually. */
export const modelsOf = <M extends Model>(kind: M['kind']): Named<M>[] =>
  peers.flatMap(({ id, model }) => (model ? flatten(id, model) : [])).filter(isOfKind<M>(kind));

/** Returns the case of an id. @throws when there is none */
export function caseOf(id: string): GoldenCase {
  const found = [...peers, ...reference].find((golden) => golden.id === id);
  if (!found) throw new Error(`no golden case ${id}`);
  return found;
}

const isOfKind =
  <M extends Model>(kind: string) =>
  (named: Named<Model>): named is Named<M> =>
    named.model.kind === kind;

function flatten(id: string, model: Model): Named<Model>[] {
  if (model.kind !== 'all') return [{ id, model }];
  return (model as Model & { of: Model[] }).of.flatMap((part, index) => flatten(`${id}#${index + 1}`, part));
}
