const NAME = 'X-Recount-Console';

/** Header that the service requires beside the cookie; a page of another site cannot send it. */
export const ANY_SESSION: Readonly<Record<string, string>> = { [NAME]: '1' };

let keyId: string | undefined;

/** Binds the requests of this page to sessions of one API key. */
export function bindToKey(id: string): void {
  keyId = id;
}

/** Returns the header with the API key of this page: another tab may have logged in with another one. */
export const consoleHeaders = (): Readonly<Record<string, string>> =>
  keyId === undefined ? ANY_SESSION : { [NAME]: keyId };
