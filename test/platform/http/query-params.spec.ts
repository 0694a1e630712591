import { describe, expect, it } from '@jest/globals';
import type { FieldErrorCode } from '../../../src/kernel/errors.js';
import type { Request, Response } from 'express';
import { Page, QueryParams, withPageLink } from '../../../src/platform/http/query/query-params.js';
import { refusalOf } from '../../support/given-when-then.js';
import { subscriptionFilters } from '../../../src/subscription/filter-schema.js';

const query = (raw: string) => new QueryParams(raw);
const refusal = (act: () => unknown) => refusalOf(act).fields.map(({ code, attr }) => [code, attr]);
const refuses = (act: () => unknown, code: FieldErrorCode, attr: string) =>
  expect(refusal(act)).toEqual([[code, attr]]);

describe('a parameter with one value', () => {
  it('is decoded, plus signs are blanks, and one that was not sent is undefined', () => {
    const q = query('name=a%20b+c%C3%A9&empty');
    expect(q.one('name')).toBe('a b cé');
    expect(q.one('other')).toBeUndefined();
  });

  it('is refused when it comes twice, as a list, blank, or not as UTF-8', () => {
    refuses(() => query('a=x&a=y').one('a'), 'invalid', 'a');
    refuses(() => query('a[]=x').one('a'), 'invalid', 'a');
    refuses(() => query('a=').one('a'), 'blank', 'a');
    refuses(() => query('a').one('a'), 'blank', 'a');
    refuses(() => query('a=%zz'), 'invalid', 'a');
    refuses(() => query('a=%ff'), 'invalid', 'a');
    refuses(() => query('a=%00'), 'invalid', 'a');
  });

  it('may be called like a member of every object', () => {
    expect(query('__proto__=x&constructor=y').one('constructor')).toBe('y');
    expect(query('a=x').one('toString')).toBeUndefined();
  });
});

describe('a parameter with several values', () => {
  it.each([
    'a=x&a=y',
    'a[]=x&a[]=y',
    'a%5B%5D=x&a%5B%5D=y',
    'a[0]=x&a[1]=y',
    'a[1]=y&a[0]=x',
    'a=x,y',
    'a[]=x,y',
  ])('is read from %s', (raw) => expect(query(raw).many('a')).toEqual(['x', 'y']));

  it('is empty when it was not sent', () => expect(query('b=1').many('a')).toEqual([]));

  it('is refused in any other form', () => {
    refuses(() => query('a[x]=1').many('a'), 'invalid', 'a');
    refuses(() => query('a[0][b]=1').many('a'), 'invalid', 'a');
    refuses(() => query('a=x,,y').many('a'), 'blank', 'a.1');
  });

  it('names every blank entry by its index, and an unknown choice once', () => {
    expect(refusal(() => query('s=x&s=ended&s=&s=y').choices('s', ['active', 'ended']))).toEqual([
      ['invalid_choice', 's'],
      ['blank', 's.2'],
    ]);
    expect(refusal(() => query('a=,x,').many('a'))).toEqual([
      ['blank', 'a.0'],
      ['blank', 'a.2'],
    ]);
  });

  it('is one of the choices, each of them', () => {
    expect(query('s=active&s=ended').choices('s', ['active', 'ended'])).toEqual(['active', 'ended']);
    refuses(() => query('s=active&s=dead').choices('s', ['active', 'ended']), 'invalid_choice', 's');
    refuses(() => query('s=Active').choice('s', ['active']), 'invalid_choice', 's');
  });
});

describe('typed parameters', () => {
  it('an instant is read in the forms of the contract, also with the plus of its offset not encoded', () => {
    const noon = '2026-01-31T12:00:00.000000Z';
    for (const text of ['2026-01-31T12:00:00Z', '2026-01-31T14:00:00%2B02:00', '2026-01-31T14:00:00+02:00']) {
      expect(query(`t=${text}`).instant('t')).toBe(noon);
    }
    expect(query('t=2026-01-31+12:00:00').instant('t')).toBe(noon);
    expect(query('t=2026-01-31').instant('t')).toBe('2026-01-31T00:00:00.000000Z');
    refuses(() => query('t=31.1.2026').instant('t'), 'invalid', 't');
  });

  it('a flag is true or false and nothing else', () => {
    expect(query('f=true').flag('f', false)).toBe(true);
    expect(query('f=False').flag('f', true)).toBe(false);
    expect(query('').flag('f', true)).toBe(true);
    refuses(() => query('f=yes').flag('f', true), 'invalid', 'f');
  });

  it('an id is read with and without prefix and dashes; one that cannot be does not exist', () => {
    const id = 'a5210a0b-c967-54cf-a3c1-3bc84394cc36';
    expect(query(`p=plan_${id.replaceAll('-', '')}`).id('p', 'plan')).toBe(id);
    expect(query(`p=${id}`).id('p', 'plan')).toBe(id);
    refuses(() => query('p=plan_1').id('p', 'plan'), 'does_not_exist', 'p');
  });

  it('a page has a limit within its bounds', () => {
    const page = (raw: string) => query(raw).page({ default: 100, max: 1000 });
    expect(page('')).toEqual({ limit: 100, cursor: undefined });
    expect(page('limit=1000&cursor=x')).toEqual({ limit: 1000, cursor: 'x' });
    refuses(() => page('limit=0'), 'min_value', 'limit');
    refuses(() => page('limit=1001'), 'max_value', 'limit');
    refuses(() => page('limit=1e3'), 'invalid', 'limit');
    refuses(() => page('limit=ten'), 'invalid', 'limit');
  });

  it('a count lies within its bounds, and a refusal names them', () => {
    const bounds = { min: 1, max: 90 };
    expect(query('').count('n', bounds)).toBeUndefined();
    expect(query('n=90').count('n', bounds)).toBe(90);
    expect(query('n=0').count('n')).toBe(0);
    refuses(() => query('n=-1').count('n'), 'min_value', 'n');
    for (const [raw, code] of [
      ['n=-1', 'min_value'],
      ['n=0', 'min_value'],
      ['n=91', 'max_value'],
      ['n=1.5', 'invalid'],
    ] as const) {
      refuses(() => query(raw).count('n', bounds), code, 'n');
      expect(refusalOf(() => query(raw).count('n', bounds)).fields[0]!.detail).toBe(
        'Give a whole number from 1 to 90.',
      );
    }
  });
});

describe('subscription filters in a query', () => {
  const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
  const region = { property_name: 'region', value: 'eu' };
  const tier = { property_name: 'tier', value: 'gold' };
  const both = [
    { propertyName: 'region', value: 'eu' },
    { propertyName: 'tier', value: 'gold' },
  ];

  it.each([
    ['a JSON list', `subscription_filters=${json([region, tier])}`],
    ['JSON, repeated', `subscription_filters[]=${json(region)}&subscription_filters[]=${json(tier)}`],
    [
      'JSON, repeated without brackets',
      `subscription_filters=${json(region)}&subscription_filters=${json(tier)}`,
    ],
    [
      'brackets',
      'subscription_filters[1][property_name]=tier&subscription_filters[1][value]=gold' +
        '&subscription_filters[0][value]=eu&subscription_filters[0][property_name]=region',
    ],
    [
      'a dot',
      'subscription_filters[0].property_name=region&subscription_filters[0].value=eu' +
        '&subscription_filters[1].property_name=tier&subscription_filters[1].value=gold',
    ],
    [
      'nothing between',
      'subscription_filters[0]property_name=region&subscription_filters[0]value=eu' +
        '&subscription_filters[1]property_name=tier&subscription_filters[1]value=gold',
    ],
  ])('are read from %s', (_, raw) => expect(subscriptionFilters(query(raw))).toEqual(both));

  it('have a number as plain digits, as filters compare the properties of events', () => {
    const sent = [1e-7, 1e21, -0, 0.1].map((value) => ({ property_name: 'p', value }));
    const values = subscriptionFilters(query(`subscription_filters=${json(sent)}`)).map(({ value }) => value);
    expect(values).toEqual(['0.0000001', '1000000000000000000000', '0', '0.1']);
  });

  it('are none when the parameter was not sent, or is an empty list', () => {
    expect(subscriptionFilters(query(''))).toEqual([]);
    expect(subscriptionFilters(query('subscription_filters=[]'))).toEqual([]);
  });

  it.each([
    'subscription_filters=region',
    'subscription_filters={"property_name":"a"}',
    'subscription_filters=[["a","b"]]',
    'subscription_filters=[null]',
    'subscription_filters=[{"property_name":"a","value":{}}]',
    'subscription_filters=[{"property_name":"","value":"b"}]',
    'subscription_filters[0][property_name]=a',
    'subscription_filters[0][property_name]=a&subscription_filters[0][property_name]=b&subscription_filters[0][value]=c',
    'subscription_filters[0][other]=a',
    'subscription_filters[x]=a',
    'subscription_filters.0.value=a',
  ])('are refused, never skipped: %s', (raw) =>
    refuses(() => subscriptionFilters(query(raw)), 'invalid', 'subscription_filters'),
  );
});

describe('a query as a whole', () => {
  it('reports everything that is wrong with it at once', () => {
    const read = () =>
      query('limit=0&status=odd&name=').read({
        name: (q) => q.one('name'),
        status: (q) => q.choices('status', ['paid', 'unpaid']),
        page: (q) => q.page({ default: 10, max: 100 }),
      });
    expect(refusal(read)).toEqual([
      ['blank', 'name'],
      ['invalid_choice', 'status'],
      ['min_value', 'limit'],
    ]);
  });

  it('is read under the names its reader gives', () => {
    const read = query('customer_id=acme').read({
      customerId: (q) => q.one('customer_id'),
      on: (q) => q.flag('on', true),
    });
    expect(read).toEqual({ customerId: 'acme', on: true });
  });
});

describe('the link to the next page', () => {
  const linkOf = (originalUrl: string): string | undefined => {
    const headers = new Map<string, string>();
    const app = { get: () => 'https://recount.example' };
    const request = { originalUrl, app } as unknown as Request;
    const response = { setHeader: (name: string, value: string) => headers.set(name, value) };
    withPageLink(new Page([1], 'a/b'), request, response as unknown as Response);
    return headers.get('Link');
  };

  it.each([
    ['/api/events/', '?cursor=a%2Fb'],
    ['/api/events/?limit=1', '?limit=1&cursor=a%2Fb'],
    ['/api/events/?customer_id=a?b&limit=1', '?customer_id=a?b&limit=1&cursor=a%2Fb'],
    ['/api/events/?limit=1&customer_id=a??', '?limit=1&customer_id=a??&cursor=a%2Fb'],
    ['/api/events/?cursor=x&limit=1', '?limit=1&cursor=a%2Fb'],
    ['/api/events/?limit=1&curs%6Fr=x', '?limit=1&cursor=a%2Fb'],
    ['/api/events/?limit=1&cursors=x', '?limit=1&cursors=x&cursor=a%2Fb'],
  ])('of %s has every other parameter and one cursor', (url, query) => {
    expect(linkOf(url)).toBe(`<https://recount.example/api/events/${query}>; rel="next"`);
  });
});
