import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { BodyValidationPipe } from '../../../src/platform/http/validation/body-validation.pipe.js';
import {
  IsDecimalInRange,
  IsFlag,
  IsInstantText,
  IsWireId,
  Nullable,
  OptionalNotNull,
} from '../../../src/platform/http/validation/validators.js';
import { refusalOf } from '../../support/given-when-then.js';

class TierBody {
  @IsDecimalInRange('0', '9999999999.99')
  range_start!: string;

  @IsOptional()
  @IsIn(['flat', 'free'])
  type?: string;
}

class ComponentBody {
  @IsArray()
  @ValidateNested()
  @Type(() => TierBody)
  tiers!: TierBody[];
}

class PlanBody {
  @IsString()
  @IsNotEmpty()
  @MaxLength(10)
  plan_name!: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(31)
  day_anchor?: number;

  @IsOptional()
  @IsFlag()
  invoice_now?: boolean;

  @IsOptional()
  @IsInstantText()
  start_date?: string;

  @IsOptional()
  @IsWireId('plan')
  plan_id?: string;

  @Nullable()
  @IsInstantText()
  expires_at?: string | null;

  @OptionalNotNull()
  @IsObject()
  metadata?: object;

  @IsOptional()
  @ValidateNested()
  @Type(() => ComponentBody)
  components?: ComponentBody[];
}

const pipe = new BodyValidationPipe();
const read = (body: unknown) => pipe.transform(body, { type: 'body', metatype: PlanBody }) as PlanBody;
const refusal = (body: unknown) =>
  refusalOf(() => read(body)).fields.map(({ attr, code }) => `${attr} ${code}`);
const ID = 'a5210a0b-c967-54cf-a3c1-3bc84394cc36';

describe('the body of a request', () => {
  it('holds every field in its own type', () => {
    const body = read({
      plan_name: 'Basic',
      invoice_now: false,
      start_date: '2026-01-31 12:00:00',
      plan_id: `plan_${ID.replaceAll('-', '')}`,
      components: [{ tiers: [{ range_start: 0.1 }, { range_start: 1e-7, type: 'free' }] }],
    });
    expect(body).toMatchObject({
      plan_name: 'Basic',
      invoice_now: false,
      start_date: '2026-01-31T12:00:00.000000Z',
      plan_id: ID,
      components: [{ tiers: [{ range_start: '0.1' }, { range_start: '0.0000001', type: 'free' }] }],
    });
  });

  it('is read from a form, where everything is text: "false" is false', () => {
    const form = Object.assign(Object.create(null) as object, { plan_name: 'Basic', invoice_now: 'false' });
    expect(read(form)).toMatchObject({ plan_name: 'Basic', invoice_now: false });
  });

  it('is refused with every wrong field at once, by its path', () => {
    expect(
      refusal({
        plan_name: '',
        day_anchor: 32,
        invoice_now: 'maybe',
        start_date: 'soon',
        plan_id: 'plan_1',
        metadata: [],
        components: [{ tiers: [{ range_start: -1 }, { range_start: 1e10, type: 'big' }] }, {}, 7],
      }),
    ).toEqual([
      'plan_name blank',
      'day_anchor max_value',
      'invoice_now invalid',
      'start_date invalid',
      'plan_id does_not_exist',
      'metadata invalid',
      'components.0.tiers.0.range_start min_value',
      'components.0.tiers.1.range_start max_value',
      'components.0.tiers.1.type invalid_choice',
      'components.1.tiers required',
      'components.2 invalid',
    ]);
  });

  it.each([
    [{}, 'plan_name required'],
    [undefined, 'plan_name required'],
    [{ plan_name: null }, 'plan_name null'],
    [{ plan_name: 'x'.repeat(11) }, 'plan_name max_length'],
    [{ plan_name: 7 }, 'plan_name invalid'],
    [{ plan_name: 'x', day_anchor: '3' }, 'day_anchor invalid'],
    [{ plan_name: 'x', day_anchor: 0 }, 'day_anchor min_value'],
    [
      { plan_name: 'x', components: [{ tiers: [{ range_start: Infinity }] }] },
      'components.0.tiers.0.range_start invalid',
    ],
    [{ plan_name: 'x', components: [null] }, 'components.0 null'],
    [{ plan_name: 'x', components: [[{ tiers: [] }]] }, 'components.0 invalid'],
    [{ plan_name: 'x', components: 'x' }, 'components invalid'],
    [{ plan_name: 'x', metadata: null }, 'metadata null'],
  ])('%j is refused: %s', (body, expected) => expect(refusal(body)).toEqual([expected]));

  it.each([[[]], ['text'], [7], [null]])('has to be an object, not %j', (body) =>
    expect(refusal(body)).toEqual(['non_field_errors invalid']),
  );

  it.each(['a text', 7, {}])('%j where a list is asked for is no list, whatever its entries are', (tags) => {
    class TagsBody {
      @IsArray()
      @ArrayNotEmpty()
      @ArrayUnique()
      @IsIn(['a', 'b'], { each: true })
      tags!: string[];
    }
    expect(() => new BodyValidationPipe().transform({ tags }, { type: 'body', metatype: TagsBody })).toThrow(
      'This is not a list. Send a list.',
    );
  });

  it('names each wrong entry of a list by its index, unless the list is wrong as a whole', () => {
    class ListsBody {
      @IsArray() @ArrayUnique() @IsIn(['a', 'b'], { each: true }) choices!: string[];
      @IsArray() @IsString({ each: true }) @IsNotEmpty({ each: true }) names!: string[];
      @IsArray() @ValidateNested() @Type(() => TierBody) @IsObject({ each: true }) tiers!: TierBody[];
    }
    const errorsOf = (body: object) =>
      refusalOf(() => new BodyValidationPipe().transform(body, { type: 'body', metatype: ListsBody })).fields;
    const named = (body: object) => errorsOf(body).map(({ attr, code }) => `${attr} ${code}`);
    const wrong = { choices: ['a', 'c', 'd'], names: ['x', '', null, 7, 'y'], tiers: [7, null] };
    expect(named(wrong)).toEqual([
      'choices.1 invalid_choice',
      'choices.2 invalid_choice',
      'names.1 blank',
      'names.2 null',
      'names.3 invalid',
      'tiers.0 invalid',
      'tiers.1 null',
    ]);
    expect(errorsOf(wrong)[0]!.detail).toBe('This is not one of the choices. Choose from: a, b.');
    expect(named({ ...wrong, choices: ['c', 'c'], names: [], tiers: [] })).toEqual(['choices invalid']);
  });

  it('unknown fields are ignored', () => {
    expect(Object.keys(read({ plan_name: 'x', colour: 'blue' }))).not.toContain('colour');
  });

  it('null of an optional field is as if it were left out, at every depth', () => {
    const body = read({
      plan_name: 'x',
      day_anchor: null,
      components: [{ tiers: [{ range_start: 0, type: null }] }],
    });
    expect(body.day_anchor).toBeUndefined();
    expect(body.components![0]!.tiers[0]!.type).toBeUndefined();
  });

  it('null is kept where it has a meaning, and told from a field left out', () => {
    expect(read({ plan_name: 'x', expires_at: null }).expires_at).toBeNull();
    expect(read({ plan_name: 'x' }).expires_at).toBeUndefined();
    expect(refusal({ plan_name: 'x', expires_at: 'soon' })).toEqual(['expires_at invalid']);
  });

  it('keys named as members of every object change nothing', () => {
    const body = read(
      JSON.parse('{"plan_name": "x", "__proto__": {"day_anchor": 5}, "constructor": "y", "toString": 1}'),
    );
    expect(body.day_anchor).toBeUndefined();
    expect(body).toBeInstanceOf(PlanBody);
    expect(({} as { day_anchor?: number }).day_anchor).toBeUndefined();
  });

  it('free-form objects come through as they were sent', () => {
    const metadata = JSON.parse('{"constructor": "x", "toString": null, "a": {"b": [null, 1]}}') as object;
    expect(read({ plan_name: 'x', metadata }).metadata).toEqual(metadata);
  });
});
