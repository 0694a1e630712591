import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';

/** Fonts in order of preference for a character; the last one has the replacement character. */
export const FONTS = ['latin', 'devanagari', 'arabic', 'hebrew', 'chinese', 'others'] as const;
export type FontName = (typeof FONTS)[number];

const require = createRequire(import.meta.url);

const LATIN = {
  regular: () => require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  bold: () => require.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
};

/** Paths of each font in both weights. One file has Latin, Greek, Cyrillic and Devanagari. */
const FILES: Readonly<Record<FontName, Readonly<Record<'regular' | 'bold', () => string>>>> = {
  latin: LATIN,
  devanagari: LATIN,
  arabic: {
    regular: () =>
      require.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
    bold: () =>
      require.resolve('@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf'),
  },
  hebrew: {
    regular: () =>
      require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
    bold: () =>
      require.resolve('@expo-google-fonts/noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf'),
  },
  chinese: {
    regular: () =>
      require.resolve('@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff'),
    bold: () =>
      require.resolve('@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-600-normal.woff'),
  },
  others: {
    regular: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
    bold: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
  },
};

const loaded = new Map<string, Buffer>();

/** Reads a font once, when the first document needs it. */
export function fontFile(name: FontName, bold: boolean): Buffer {
  const file = FILES[name][bold ? 'bold' : 'regular']();
  let bytes = loaded.get(file);
  if (!bytes) {
    const read = readFileSync(file);
    loaded.set(file, (bytes = file.endsWith('.woff') ? unpacked(read) : read));
  }
  return bytes;
}

/** Unpacks a WOFF once; fontkit would unpack it for every document, in JavaScript. */
function unpacked(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + 16 * count);
  const power = 2 ** Math.floor(Math.log2(count));
  woff.copy(head, 0, 4, 8);
  [count, power * 16, Math.log2(power), (count - power) * 16].forEach((value, index) =>
    head.writeUInt16BE(value, 4 + 2 * index),
  );
  const tables: Buffer[] = [];
  let end = head.length;
  for (let index = 0; index < count; index++) {
    const at = 44 + 20 * index;
    const [offset, packed, length, sum] = [4, 8, 12, 16].map((field) => woff.readUInt32BE(at + field)) as [
      number,
      number,
      number,
      number,
    ];
    const data = woff.subarray(offset, offset + packed);
    const table = packed < length ? inflateSync(data) : data;
    woff.copy(head, 12 + 16 * index, at, at + 4);
    [sum, end, length].forEach((value, field) => head.writeUInt32BE(value, 16 + 16 * index + 4 * field));
    tables.push(table, Buffer.alloc((4 - (length % 4)) % 4));
    end += length + ((4 - (length % 4)) % 4);
  }
  return Buffer.concat([head, ...tables]);
}
