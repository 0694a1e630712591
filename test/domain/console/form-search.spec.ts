import { describe, expect, it } from '@jest/globals';
import {
  readDay,
  readNumber,
  readText,
  oneOf,
  readForm,
  writeForm,
  type FormShape,
} from '../../../console/src/actions/form-search.js';
import {
  FIRST_TIER,
  firstPlan,
  type PlanDraft,
} from '../../../console/src/pages/plan-version/version-draft.js';
import { PLAN } from '../../../console/src/pages/plan-version/version-shape.js';

interface Values {
  readonly plan: string;
  readonly day: string;
  readonly units: string;
  readonly when: 'now' | 'later';
  readonly remark: string;
}

const SHAPE: FormShape<Values> = {
  plan: readText,
  day: readDay,
  units: readNumber,
  when: oneOf({ now: '', later: '' }),
  remark: 'kept out',
};

const BEGINNING: Values = { plan: '', day: '', units: '1', when: 'now', remark: '' };

const read = (search: object) => readForm(SHAPE, BEGINNING, search);

describe('a form in an address', () => {
  it('has the values that differ from those that it begins with', () => {
    const values: Values = { plan: 'plan_1', day: '2026-03-01', units: '1', when: 'later', remark: '' };
    const written = writeForm(SHAPE, BEGINNING, values);
    expect(written).toEqual({ 'form.plan': 'plan_1', 'form.day': '2026-03-01', 'form.when': 'later' });
    expect(read(written)).toEqual({ values, ignored: [] });
  });

  it('has nothing of a value that is kept out, and reads none', () => {
    expect(writeForm(SHAPE, BEGINNING, { ...BEGINNING, remark: 'for Ms Doe' })).toEqual({});
    expect(read({ 'form.remark': 'for Ms Doe' })).toEqual({
      values: BEGINNING,
      ignored: ['remark=for Ms Doe'],
    });
  });

  it.each([
    ['form.day', '2026-02-30'],
    ['form.day', 20260230],
    ['form.units', 'many'],
    ['form.units', 'Infinity'],
    ['form.when', 'toString'],
    ['form.plan', { a: 1 }],
    ['form.plan', null],
    ['form.colour', 'red'],
  ])('ignores %s=%j alone, and says so', (name, value) => {
    const { values, ignored } = read({ 'form.plan': 'plan_1', 'form.units': 9, [name]: value });
    expect(ignored).toHaveLength(1);
    expect(values.units).toBe(name === 'form.units' ? '1' : '9');
    expect(values.plan).toBe(name === 'form.plan' ? '' : 'plan_1');
  });

  it('reads nothing of the page around the form', () => {
    expect(read({ plan: 'plan_1', act: 'switch-plan' })).toEqual({ values: BEGINNING, ignored: [] });
  });
});

describe('a version in an address', () => {
  const beginning = firstPlan('USD');
  const [charge] = beginning.charges;
  const draft: PlanDraft = {
    ...beginning,
    planName: 'Team',
    charges: [
      charge!,
      { ...charge!, name: 'Support', amount: '12.50', intervals: { reset_interval_count: 3 } },
    ],
    components: [
      {
        metricId: 'metric_1',
        isBulk: true,
        prepaid: 'full',
        prepaidUnits: '5',
        intervals: {},
        tiers: [
          { ...FIRST_TIER, end: '100', type: 'free' },
          { ...FIRST_TIER, start: '100', cost: '0.010' },
        ],
      },
    ],
    features: ['feature_1'],
  };

  it('has its rows with their number', () => {
    const written = writeForm(PLAN, beginning, draft);
    expect(written).toMatchObject({
      'form.charges': 2,
      'form.components': 1,
      'form.components.0.tiers': 2,
      'form.components.0.tiers.1.cost': '0.010',
    });
    expect(readForm(PLAN, beginning, written)).toEqual({ values: draft, ignored: [] });
  });

  it('has that rows were removed', () => {
    const written = writeForm(PLAN, draft, { ...draft, charges: [draft.charges[1]!], components: [] });
    expect(readForm(PLAN, draft, written).values).toMatchObject({
      charges: [draft.charges[1]],
      components: [],
    });
  });

  it.each([1e9, -1, 1.5, 'two'])('ignores a number of rows of %s', (count) => {
    expect(readForm(PLAN, beginning, { 'form.charges': count })).toEqual({
      values: beginning,
      ignored: [`charges=${count}`],
    });
  });
});
