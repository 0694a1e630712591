import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsNotEmpty,
  IsObject,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { fromWireId, kindName, type IdKind, type Uuid } from '../../kernel/ids.js';
import { IsDecimalInRange } from '../../platform/http/validation/validators.js';

/** Reads a name without the blanks around it. */
export const IsName = (max: number): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }) => (typeof value === 'string' ? value.trim() : value)),
    IsString(),
    IsNotEmpty(),
    MaxLength(max),
  );

/** Reads money or a quantity of a plan: 0 <= x < 10000000000 (docs/contract.md#limits). */
export const IsAmount = (): PropertyDecorator => IsDecimalInRange('0', '9999999999.999999');

/** Reads a list of bodies of one class. */
export const IsListOf = (type: () => new () => object, max: number): PropertyDecorator =>
  applyDecorators(Type(type), IsArray(), ArrayMaxSize(max), ValidateNested({ each: true }));

export const IsNested = (type: () => new () => object): PropertyDecorator =>
  applyDecorators(Type(type), IsObject(), ValidateNested());

/** Reads an id in a path. @throws DomainError `not_found` for text that is no id */
export function pathId(kind: IdKind, text: string): Uuid {
  const id = fromWireId(kind, text);
  if (!id) throw new DomainError('not_found', unknownId(kindName(kind)));
  return id;
}
