/** Thrown for invalid settings. The message has one sentence per error. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly errors: readonly string[]) {
    super(errors.join('\n'));
  }
}

/** Variables of the environment, and the errors found while they are read. */
export class EnvironmentReader {
  private readonly errors: string[] = [];

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  /** Returns a variable without blanks around it; undefined when it is not set or empty. */
  text(name: string): string | undefined {
    return this.env[name]?.trim() || undefined;
  }

  /** Returns a variable as the base of a URL, without slashes at its end. */
  base(name: string): string | undefined {
    return this.text(name)?.replace(/\/+$/, '');
  }

  port(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const port = Number(text);
    const isPort = Number.isInteger(port) && port >= 0 && port <= 65_535;
    if (!isPort) this.addError(`${name} must be a whole number from 0 to 65535, not "${text}".`);
    return port;
  }

  /** Reads a number of at least 1. @param rule completes the sentence "NAME must be …" */
  count(name: string, preset: number, rule: string): number {
    const count = Number(this.text(name) ?? preset);
    if (!Number.isInteger(count) || count < 1)
      this.addError(`${name} must be ${rule}, not "${this.text(name)}".`);
    return count;
  }

  /** Records an error, in a sentence for the operator that begins with the variable. */
  addError(sentence: string): undefined {
    this.errors.push(sentence);
  }

  /** @throws ConfigError with every error so far */
  requireValid(): void {
    if (this.errors.length > 0) throw new ConfigError(this.errors);
  }
}

export function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

/** Returns whether links can be made by appending to a URL: it has no query, fragment or credentials. */
export function isBaseUrl(text: string): boolean {
  if (!isUrl(text, ['http:', 'https:'])) return false;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '') && !/[?#]/.test(text);
}
