import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
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

/** Reads an id in a path. @throws DomainError `not_found` for text that is no id */
export function pathId(kind: IdKind, text: string): Uuid {
  const id = fromWireId(kind, text);
  if (!id) throw new DomainError('not_found', unknownId(kindName(kind)));
  return id;
}
