/** Limits and checks for the bodies of a path. */
export interface BodyRule {
  /** The most bytes of a JSON body, inflated. */
  readonly maxBytes: number;
  /** Whether text that cannot be stored and numbers beyond a double refuse the whole body; else the handler looks at them. */
  readonly checksValues: boolean;
}

const ONE_MB = 1024 * 1024;
const DEFAULT: BodyRule = { maxBytes: ONE_MB, checksValues: true };

/** Holds the paths whose bodies are read by rules of their own. Modules register them while they are built. */
export class BodyRules {
  readonly #rules = new Map<string, BodyRule>();

  /** @param path without the slash at the end */
  register(path: string, rule: BodyRule): void {
    this.#rules.set(path, rule);
  }

  /** @param url path and query of the request */
  find(url: string): BodyRule {
    const path = url.split('?', 1)[0]!;
    return this.#rules.get(path.endsWith('/') ? path.slice(0, -1) : path) ?? DEFAULT;
  }
}
