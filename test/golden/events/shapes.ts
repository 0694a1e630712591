import type { DomainEvent } from '../../../src/kernel/event.js';
import type { Instant } from '../../../src/kernel/instant.js';

/** As JSON has it: marks that only the compiler knows are off. */
type Stored<T> = T extends Instant
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Stored<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Stored<T[Key]> }
      : T;

/** An example of the data of every type, which the compiler holds against the type: one that is missing fails the build. */
export type Shapes<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: Stored<Extract<Event, { type: Type }>['data']>;
};

/** The example of a shape that today's code does not write any more. */
export interface FormerShape {
  readonly type: string;
  readonly version: number;
  readonly data: object;
}
