import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { checkTiers } from '../../src/pricing/check-tiers.js';
import { rate } from '../../src/pricing/tiers.js';
import { fromExact, toDecimal } from '../../src/kernel/money.js';
import { quantity } from '../../src/kernel/quantity.js';
import { proveScenario } from './prove-scenario.js';
import { tierOf } from './scenario-model.js';
import type { Expectation, ScenarioModel, Step, WireTier } from './scenario-model.js';

const DOC = path.resolve(import.meta.dirname, '../../docs/billing.md');

interface TierTable {
  readonly tiers: readonly WireTier[];
  readonly bulk_pricing_enabled?: boolean;
  /** What quantities cost. */
  readonly amounts: Readonly<Record<string, string>>;
}

/** As in the golden cases, with shorter words: `lines` are the net lines that are not 0, a date is its first instant. */
type Story = Omit<ScenarioModel, 'kind' | 'steps'> & {
  readonly steps: readonly (Omit<Step, 'expect'> & {
    readonly expect?: Expectation & { readonly lines?: readonly string[] };
  })[];
};

interface Example {
  /** The heading it stands under, and its place there. */
  readonly name: string;
  readonly content: TierTable | Story;
}

/** Every block of YAML in the document; its numbers are read as text, as they are written. */
function examplesOf(document: string): Example[] {
  const found: Example[] = [];
  let heading = '';
  let place = 0;
  for (const part of document.split(/^(#+ .*|```yaml\n[^`]*```)$/m)) {
    if (part.startsWith('#')) [heading, place] = [part.replace(/^#+ /, ''), 0];
    if (!part.startsWith('```yaml')) continue;
    const text = part.slice('```yaml\n'.length, -'```'.length);
    const content = parse(text, { schema: 'failsafe', customTags: ['null', 'bool'] }) as Example['content'];
    found.push({ name: `${heading} #${(place += 1)}`, content });
  }
  return found;
}

function proveTiers({ tiers: wire, bulk_pricing_enabled: volume = false, amounts }: TierTable): void {
  const tiers = wire.map(tierOf);
  expect(checkTiers(tiers, volume)).toEqual([]);
  const rated = Object.keys(amounts).map(
    (q) => [q, fromExact(rate(tiers, quantity(q), volume), 'USD')] as const,
  );
  const wanted = Object.entries(amounts).map(([q, text]) => [q, toDecimal(fromExact(quantity(text), 'USD'))]);
  expect(rated.map(([q, amount]) => [q, toDecimal(amount)])).toEqual(wanted);
}

const modelOf = (story: Story): ScenarioModel => ({
  ...story,
  kind: 'scenario',
  steps: story.steps.map(({ expect: expected, at, ...step }) => {
    const { lines, ...rest } = expected ?? {};
    return {
      ...step,
      at: at.includes('T') ? at : `${at}T00:00:00Z`,
      ...(expected && { expect: { ...rest, ...(lines && { nonzero_net_lines: lines }) } }),
    };
  }),
});

const document = readFileSync(DOC, 'utf8');

describe('docs/billing.md', () => {
  const examples = examplesOf(document);

  it.each(examples)('$name', ({ content }) => {
    if ('tiers' in content) proveTiers(content);
    else proveScenario(modelOf(content));
  });

  it('every fenced block is one of these examples, and every story says what its invoices are', () => {
    expect(examples).toHaveLength(document.match(/^```\w/gm)!.length);
    const silent = examples.filter(
      ({ content }) => 'steps' in content && !content.steps.some((step) => step.expect),
    );
    expect(silent).toEqual([]);
  });
});
