import type { DomainEvent } from '../../../src/kernel/event.js';
import type { Instant } from '../../../src/kernel/instant.js';

/** The JSON form of a type, without brands that only the compiler knows. */
type Stored<T> = T extends Instant
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Stored<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Stored<T[Key]> }
      : T;

/** Examples of the data of every event type. The compiler checks that none is missing. */
export type Shapes<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: Stored<Extract<Event, { type: Type }>['data']>;
};

/** An example of a shape that the current code does not write any more. */
export interface FormerShape {
  readonly type: string;
  readonly version: number;
  readonly data: object;
}
