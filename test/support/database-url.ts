/** Returns the URL of another database of the same server. */
export function urlOfDatabase(name: string, server: string): string {
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}
