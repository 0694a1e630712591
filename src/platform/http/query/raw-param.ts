/** A parameter as it came: `a`, `a[]`, `a[0]` and `a[0][b]` all have the name `a`; the rest of the key is the suffix. */
export interface RawParam {
  readonly name: string;
  readonly suffix: string;
  readonly value: string;
}
