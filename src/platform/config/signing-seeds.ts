const SEED = /^[A-Za-z0-9+/_-]{43}=?$/;
/** Limit of keys: two overlap while one is replaced; more make notes long. */
const MAX_SEEDS = 4;

/** Completes the sentence "… must be …" about the seeds of the keys that sign checkpoints. */
export const SEEDS_RULE =
  `1 to ${MAX_SEEDS} different seeds of 32 bytes in base64, such as \`openssl rand -base64 32\` prints, ` +
  'the newest first';

/** Reads seeds with blanks or commas between them; returns undefined for a text that breaks `SEEDS_RULE`. */
export function parseSeeds(text: string): Buffer[] | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const seeds = parts.map((part) => Buffer.from(part, 'base64'));
  const differ = new Set(seeds.map((seed) => seed.toString('hex'))).size === seeds.length;
  const isRight = parts.length >= 1 && parts.length <= MAX_SEEDS && parts.every((part) => SEED.test(part));
  return isRight && differ ? seeds : undefined;
}
