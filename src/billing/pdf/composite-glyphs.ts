import { clustersOf, type Glyph } from './glyph-clusters.js';

interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Members of a glyph of fontkit. */
interface Shape extends Glyph {
  readonly id: number;
  readonly cbox: Box;
  readonly path: { readonly commands: readonly unknown[] };
}

/** Offsets and advances of a glyph, in thousandths of the size of the font. */
interface Position {
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
  /** Advance in the font, before kerning. */
  readonly advanceWidth: number;
}

interface PlacedShape extends Glyph {
  readonly shape: Shape;
  readonly position: Position;
  /** Distance from the beginning of the run. */
  readonly start: number;
}

interface Component {
  readonly shape: Shape;
  readonly x: number;
  readonly y: number;
}

/** Picture of a cluster, and its position. */
interface Drawing {
  readonly components: readonly Component[];
  readonly position: Position;
}

/** A glyph of others, in units of the font. */
interface Composite {
  readonly components: readonly Component[];
  readonly advance: number;
}

/** Members of a subset of a TrueType font in fontkit, which writes the glyphs that a document uses. */
interface Subset {
  font: object;
  readonly glyphs: (number | Composite)[];
  readonly glyf: Uint8Array[];
  readonly loca: { readonly offsets: number[] };
  readonly hmtx: { readonly metrics: { readonly advance: number; readonly bearing: number }[] };
  offset: number;
  includeGlyph(id: number): number;
  _addGlyph(glyph: number | Composite): number;
}

type Features = PDFKit.Mixins.OpenTypeFeatures[] | undefined;

/** Members of an embedded font of pdfkit that its types leave out. */
export interface EmbeddedFont {
  readonly font: { readonly maxp: Readonly<Record<string, number>> };
  readonly subset: Subset;
  /** Characters and widths of the glyphs of the subset. */
  readonly unicode: (readonly number[])[];
  readonly widths: number[];
  readonly scale: number;
  layout(
    text: string,
    features: Features,
  ): { readonly glyphs: Shape[]; readonly positions: Position[]; readonly direction?: 'ltr' | 'rtl' };
  encode(text: string, features: Features): [codes: string[], positions: Position[]];
}

/** Lets composite glyphs have components that are composite, and more of them. */
const LIMITS = {
  maxComponentDepth: 2,
  maxComponentElements: 64,
  maxCompositePoints: 4_096,
  maxCompositeContours: 256,
};

/** Follows or precedes the drawing of a cluster, for each of its characters but the first. */
const NOTHING: Drawing = {
  components: [],
  position: { xAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth: 0 },
};

/**
 * Makes a font draw each cluster as one glyph, followed by glyphs without a shape, so that each glyph stands for one
 * character in the order of the text. So text can be copied, searched and read aloud. A PDF gives a glyph the same text
 * wherever it stands. Viewers differ in how they read glyphs of several characters, and an ActualText beside them.
 */
export function composeClusters(font: EmbeddedFont): void {
  const { subset, unicode, widths, scale } = font;
  // Documents share the font, but not what their subsets declare.
  subset.font = Object.create(font.font, { maxp: { value: { ...font.font.maxp, ...LIMITS } } });
  const known = new Map<string, number>();
  const addSimple = subset._addGlyph.bind(subset);
  subset._addGlyph = (glyph) => (typeof glyph === 'number' ? addSimple(glyph) : addComposite(subset, glyph));

  const codeOf = (character: readonly number[], { components, position }: Drawing): number => {
    const [only] = components;
    if (components.length === 1) {
      const code = subset.includeGlyph(only!.shape.id);
      if (unicode[code] === undefined || String(unicode[code]) === String(character)) return code;
    }
    const advance = Math.round(position.advanceWidth / scale);
    const key = String([character, advance, ...components.flatMap(({ shape, x, y }) => [shape.id, x, y])]);
    const code = known.get(key) ?? subset.glyphs.push({ components, advance }) - 1;
    known.set(key, code);
    return code;
  };

  font.encode = (text, features) => {
    const { glyphs, positions, direction } = font.layout(text, features);
    const ordered = <T>(items: readonly T[]) => (direction === 'rtl' ? items.toReversed() : items);
    const written = clustersOf(text, ordered(placed(glyphs, positions))).flatMap((cluster) => {
      const [first, ...others] = cluster.codePoints;
      const drawing = drawingOf(ordered(cluster.glyphs), scale);
      return [
        { character: first === undefined ? [] : [first], drawing },
        ...others.map((other) => ({ character: [other], drawing: NOTHING })),
      ];
    });
    const codes = ordered(written).map(({ character, drawing }) => {
      const code = codeOf(character, drawing);
      unicode[code] ??= character;
      widths[code] ??= drawing.position.advanceWidth;
      return code.toString(16).padStart(4, '0');
    });
    return [codes, ordered(written).map(({ drawing }) => drawing.position)];
  };
}

function placed(shapes: readonly Shape[], positions: readonly Position[]): PlacedShape[] {
  let end = 0;
  return shapes.map((shape, index) => {
    const position = positions[index]!;
    const start = end;
    end += position.xAdvance;
    return { codePoints: shape.codePoints, shape, position, start };
  });
}

/** Composes glyphs, from left to right, to one. A single glyph keeps its position. */
function drawingOf(glyphs: readonly PlacedShape[], scale: number): Drawing {
  const { shape, position, start } = glyphs[0]!;
  // fontkit writes a space for an invisible character, and moves back over it.
  if (glyphs.length === 1 && position.xAdvance === 0 && !hasOutline(shape)) return NOTHING;
  if (glyphs.length === 1) return { components: [{ shape, x: 0, y: 0 }], position };
  const xAdvance = glyphs.reduce((sum, glyph) => sum + glyph.position.xAdvance, 0);
  return {
    components: glyphs.map((glyph) => ({
      shape: glyph.shape,
      x: Math.round((glyph.start - start + glyph.position.xOffset) / scale),
      y: Math.round(glyph.position.yOffset / scale),
    })),
    position: { xAdvance, xOffset: 0, yOffset: 0, advanceWidth: xAdvance },
  };
}

/** Writes a composite glyph as TrueType does: a box, and a reference with an offset for each component. */
function addComposite(subset: Subset, { components, advance }: Composite): number {
  const drawn = components.filter(({ shape }) => hasOutline(shape));
  const box = [
    Math.min(...drawn.map(({ shape, x }) => shape.cbox.minX + x)),
    Math.min(...drawn.map(({ shape, y }) => shape.cbox.minY + y)),
    Math.max(...drawn.map(({ shape, x }) => shape.cbox.maxX + x)),
    Math.max(...drawn.map(({ shape, y }) => shape.cbox.maxY + y)),
  ];
  const words = drawn.flatMap(({ shape, x, y }, index) => [
    // The offsets have two bytes each; all components but the last say that more follow.
    index < drawn.length - 1 ? 0x23 : 0x03,
    subset.includeGlyph(shape.id),
    x,
    y,
  ]);
  const bytes =
    drawn.length === 0 ? Buffer.alloc(0) : Buffer.from(Int16Array.of(-1, ...box, ...words).buffer).swap16();
  subset.glyf.push(bytes);
  subset.loca.offsets.push(subset.offset);
  subset.hmtx.metrics.push({ advance, bearing: drawn.length === 0 ? 0 : box[0]! });
  subset.offset += bytes.length;
  return subset.glyf.length - 1;
}

const hasOutline = ({ path }: Shape): boolean => path.commands.length > 0;
