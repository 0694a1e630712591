import { canonicalJson } from '../../kernel/canonical-json.js';
import { minorOf } from '../../kernel/money.js';
import { ascending } from '../../kernel/ids.js';
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
  return byWindow(lines)
    .map((window) => ({ window, key: keyOf(window) }))
    .sort((a, b) => byIndexAndName(a.key, b.key))
    .flatMap(({ window }) => window);
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

type SortKey = ReturnType<typeof keyOf>;

/** Returns by what a window is ordered, computed once: a run over hundreds of terms compares each many times. */
const keyOf = ([{ runTerm, item, covered, base }]: LinesOfWindow) => ({
  start: runTerm.term.start,
  isAddon: Number(runTerm.addon !== undefined),
  order: orderOf(item.source),
  source: sourceName(item.source),
  name: runTerm.addon?.name ?? runTerm.planName,
  versionNumber: runTerm.versionNumber,
  filters: canonicalJson(runTerm.term.filters),
  covered,
  base: minorOf(base),
});

const byIndexAndName = (a: SortKey, b: SortKey): number =>
  ascending(a.start, b.start) ||
  a.isAddon - b.isAddon ||
  a.order - b.order ||
  ascending(a.source, b.source) ||
  ascending(a.name, b.name) ||
  a.versionNumber - b.versionNumber ||
  ascending(a.filters, b.filters) ||
  ascending(a.covered.start, b.covered.start) ||
  ascending(a.covered.end, b.covered.end) ||
  ascending(b.base, a.base);

/** Fees first, then components, each with its prepaid units first: the order of `sourcesOf`. */
const orderOf = (source: ChargeSource): number =>
  source.kind === 'recurring' ? source.index : MOST_FEES + 2 * source.index + Number(source.kind === 'usage');

/** Exceeds the number of recurring charges that a version can have. */
const MOST_FEES = 1_000_000;
