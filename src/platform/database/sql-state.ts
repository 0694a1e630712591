/** Returns the SQLSTATE of an error of the server; socket errors of Node have other codes, such as ECONNRESET. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
