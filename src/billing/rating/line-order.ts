import { canonicalJson } from '../../kernel/canonical-json.js';
import { minorOf } from '../../kernel/money.js';
import { inOrder } from '../../kernel/order.js';
import { sourceName, type ChargeSource } from '../../pricing/charge-sources.js';
import type { DraftLine } from './draft-lines.js';
import { policyOf } from '../../pricing/policy.js';

/**
 * Lines as an invoice shows them (docs/billing.md#line-order): by the start of their term, then by place in the
 * plan, add-ons after it, then by name. What is left is decided by what the lines say and never by an id, as a preview
 * makes other ids than its execution. The lines of one window stay together.
 */
export function inLineOrder(drafts: readonly (readonly DraftLine[])[], policy: string): readonly DraftLine[] {
  const lines = drafts.flat();
  const { lineOrder } = policyOf(policy).invoice;
  if (lineOrder === 'of_term_ids' || drafts.length < 2) return lines;
  return byWindow(lines).sort(byPlaceAndName).flat();
}

type LinesOfWindow = [DraftLine, ...DraftLine[]];

function byWindow(lines: readonly DraftLine[]): LinesOfWindow[] {
  const windows: LinesOfWindow[] = [];
  for (const line of lines) {
    const last = windows.at(-1);
    if (last && last[0].item === line.item) last.push(line);
    else windows.push([line]);
  }
  return windows;
}

function byPlaceAndName([a]: LinesOfWindow, [b]: LinesOfWindow): number {
  const [one, other] = [a.runTerm, b.runTerm];
  return (
    inOrder(one.term.start, other.term.start) ||
    Number(one.addon !== undefined) - Number(other.addon !== undefined) ||
    placeOf(a.item.source) - placeOf(b.item.source) ||
    inOrder(sourceName(a.item.source), sourceName(b.item.source)) ||
    inOrder(one.addon?.name ?? one.planName, other.addon?.name ?? other.planName) ||
    one.versionNumber - other.versionNumber ||
    inOrder(canonicalJson(one.term.filters), canonicalJson(other.term.filters)) ||
    inOrder(a.covered.start, b.covered.start) ||
    inOrder(a.covered.end, b.covered.end) ||
    inOrder(minorOf(b.base), minorOf(a.base))
  );
}

/** Fees, then the components, of each its prepaid units first: as `sourcesOf` lists them. */
const placeOf = (source: ChargeSource): number =>
  source.kind === 'recurring' ? source.index : MOST_FEES + 2 * source.index + Number(source.kind === 'usage');

/** More recurring charges than a version can have. */
const MOST_FEES = 1_000_000;
