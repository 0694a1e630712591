/** Reads true or false from text, as queries and forms write it, in any case or as 1 and 0; undefined for other text. */
export function readFlag(text: string): boolean | undefined {
  if (/^(?:true|1)$/i.test(text)) return true;
  return /^(?:false|0)$/i.test(text) ? false : undefined;
}
