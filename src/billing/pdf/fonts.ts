import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export interface Fonts {
  readonly regular: Buffer;
  readonly bold: Buffer;
}

let loaded: Fonts | undefined;

/**
 * DejaVu Sans Condensed, embedded: the fonts every PDF reader brings lack most of Europe's letters. It has Latin, Greek,
 * Cyrillic, Armenian, Georgian and Arabic, no scripts of East and South Asia. Read once, by the first document.
 */
export function fonts(): Fonts {
  loaded ??= {
    regular: readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf')),
    bold: readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')),
  };
  return loaded;
}
