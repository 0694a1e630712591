import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { keepsRules } from '../../../src/platform/http/keeps-rules.js';
import { readBody } from '../../../src/platform/http/read-body.js';
import {
  IsDecimalInRange,
  IsFlag,
  Nullable,
  OptionalNotNull,
} from '../../../src/platform/http/validators.js';

class Tier {
  @IsDecimalInRange('0', '100')
  start!: string;

  @IsOptional()
  @IsIn(['flat', 'free'])
  kind?: string;
}

class Named {
  @IsString()
  @MaxLength(3)
  name!: string;
}

class Plan extends Named {
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(2)
  @ValidateNested()
  @Type(() => Tier)
  tiers?: Tier[];

  @OptionalNotNull()
  @ValidateNested()
  @Type(() => Tier)
  first?: Tier;

  @IsOptional()
  @IsString({ each: true })
  tags?: string[];

  @Nullable()
  @IsInt()
  @Min(1)
  day?: number | null;

  @IsOptional()
  @IsFlag()
  now?: boolean;
}

const tier = fc.record(
  {
    start: fc.oneof(fc.integer({ min: -1, max: 101 }), fc.constantFrom('7', null)),
    kind: fc.constantFrom('flat', 'free', 'other', null, 1),
  },
  { requiredKeys: [] },
);
const odd = fc.oneof(tier, fc.constantFrom(null, 'text', 3, [], [[]], {}));
const sent = fc.record(
  {
    name: fc.constantFrom('abc', 'abcd', '', null, 5),
    tiers: fc.oneof(fc.array(odd, { maxLength: 3 }), odd),
    first: odd,
    tags: fc.oneof(fc.array(fc.constantFrom('a', 1, null), { maxLength: 2 }), fc.constantFrom('a', null, 2)),
    day: fc.constantFrom(0, 1, 1.5, '2', null),
    now: fc.constantFrom(true, 'false', 1, null),
  },
  { requiredKeys: [] },
);

const faultsOf = (body: object): unknown[] => validateSync(body, { forbidUnknownValues: false });

describe('whether a body keeps the rules of its class', () => {
  it('is said of no body that the library has something to say about', () => {
    fc.assert(
      fc.property(sent, (plain) => {
        const body = readBody(Plan, plain);
        if (keepsRules(body)) expect(faultsOf(body)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<object>([
    { name: 'abc' },
    { name: 'a', tiers: [{ start: 0 }, { start: 1.5, kind: 'free' }], first: { start: 3 } },
    { name: 'a', tags: ['x', 'y'], day: 3, now: 'true', unknown: 1 },
    { name: 'a', tiers: null, tags: null, day: null, now: null },
  ])('is said of what keeps them, so that the library is not asked: %j', (plain) => {
    expect(keepsRules(readBody(Plan, plain))).toBe(true);
  });

  it('is not said of a rule that it does not know: the library is asked', () => {
    class Grouped {
      @IsString({ groups: ['some'] })
      name!: string;
    }
    expect(keepsRules(readBody(Grouped, { name: 'a' }))).toBe(false);
  });
});
