import { createHash } from 'node:crypto';

/** Pixels of a PNG as a PDF stores them: colors and opacity apart, each compressed. */
interface Pixels {
  readonly imgData: Uint8Array;
  readonly alphaChannel: Uint8Array | undefined;
}

/** The part of pdfkit's image of a PNG that makes and writes its pixels. Its image of a JPEG has no `finalize`. */
interface PngImage {
  imgData: Uint8Array;
  alphaChannel: Uint8Array | undefined;
  finalize(): void;
  splitAlphaChannel(): void;
  loadIndexedAlphaChannel(): void;
}

/** Memory for pixels of all pictures in bytes. */
const MOST = 16_777_216;

/** Pixels by SHA-256 of the picture, the oldest first. */
const pixelsOf = new Map<string, Pixels>();

/**
 * Lets an image take its pixels from the documents before it. Separating and compressing those of a picture with opacity
 * takes up to 0.4 s, in which the process answers nobody.
 * @param image pdfkit's image of the picture, not drawn yet
 * @param atEnd runs work once the document has ended: the order of objects makes its bytes, and pdfkit prepares pixels with
 * opacity beside the pages
 */
export function shareImagePixels(image: unknown, picture: Buffer, atEnd: (work: () => void) => void): void {
  const png = image as PngImage;
  if (!('finalize' in png)) return;
  const digest = createHash('sha256').update(picture).digest('hex');
  const finalize = png.finalize.bind(png);
  const known = pixelsOf.get(digest);
  if (known) {
    png.splitAlphaChannel = png.loadIndexedAlphaChannel = () =>
      atEnd(() => {
        Object.assign(png, known);
        finalize();
      });
    return;
  }
  png.finalize = () => {
    const { imgData, alphaChannel } = png;
    if (!alphaChannel) return finalize();
    keep(digest, { imgData, alphaChannel });
    atEnd(finalize);
  };
}

function keep(digest: string, pixels: Pixels): void {
  pixelsOf.set(digest, pixels);
  let size = 0;
  for (const one of pixelsOf.values()) size += sizeOf(one);
  for (const [oldest, one] of pixelsOf) {
    if (size <= MOST) return;
    pixelsOf.delete(oldest);
    size -= sizeOf(one);
  }
}

const sizeOf = ({ imgData, alphaChannel }: Pixels): number =>
  imgData.byteLength + (alphaChannel?.byteLength ?? 0);
