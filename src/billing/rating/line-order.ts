import { canonicalJson } from '../../kernel/canonical-json.js';
import { minorOf } from '../../kernel/money.js';
import { ascending } from '../../kernel/order.js';
import { sourceName, type ChargeSource } from '../../pricing/charge-sources.js';
import type { DraftLine } from './draft-lines.js';
import { policyOf } from '../../pricing/policy.js';

/**
 * Orders lines as an invoice shows them (docs/billing.md#line-order): by the start of the term, then by index in the plan,
 * add-ons last, then by name. Ties are decided by what lines show and never by an id, as a preview makes other ids than
 * the run. Lines of one window stay adjacent.
 */
export function inLineOrder(drafts: readonly (readonly DraftLine[])[], policy: string): readonly DraftLine[] {
  const lines = drafts.flat();
  const { lineOrder } = policyOf(policy).invoice;
  if (lineOrder === 'of_term_ids' || drafts.length < 2) return lines;
  return byWindow(lines).sort(byIndexAndName).flat();
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

function byIndexAndName([a]: LinesOfWindow, [b]: LinesOfWindow): number {
  const [one, other] = [a.runTerm, b.runTerm];
  return (
    ascending(one.term.start, other.term.start) ||
    Number(one.addon !== undefined) - Number(other.addon !== undefined) ||
    orderOf(a.item.source) - orderOf(b.item.source) ||
    ascending(sourceName(a.item.source), sourceName(b.item.source)) ||
    ascending(one.addon?.name ?? one.planName, other.addon?.name ?? other.planName) ||
    one.versionNumber - other.versionNumber ||
    ascending(canonicalJson(one.term.filters), canonicalJson(other.term.filters)) ||
    ascending(a.covered.start, b.covered.start) ||
    ascending(a.covered.end, b.covered.end) ||
    ascending(minorOf(b.base), minorOf(a.base))
  );
}

/** Fees first, then components, each with its prepaid units first: the order of `sourcesOf`. */
const orderOf = (source: ChargeSource): number =>
  source.kind === 'recurring' ? source.index : MOST_FEES + 2 * source.index + Number(source.kind === 'usage');

/** Exceeds the number of recurring charges that a version can have. */
const MOST_FEES = 1_000_000;
