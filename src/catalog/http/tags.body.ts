import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, Matches, MaxLength } from 'class-validator';
import { FieldSchema } from '../../platform/http/openapi/field-schema.js';
import { IsListOf } from './fields.js';

export class TagBody {
  @IsString()
  @MaxLength(100)
  @Matches(/^[-a-zA-Z0-9_]+$/, { message: 'A tag has letters, digits, - and _.' })
  tag_name!: string;
}

/** A tag is text, or an object with its name. */
const toTag = (tag: unknown): unknown =>
  typeof tag === 'string' ? Object.assign(new TagBody(), { tag_name: tag }) : tag;

export const IsTagList = (): PropertyDecorator =>
  applyDecorators(
    FieldSchema({ items: { type: ['string', 'object'], description: 'A tag, or {tag_name}.' } }),
    IsListOf(() => TagBody, 100),
    Transform(({ value }) => (Array.isArray(value) ? value.map(toTag) : value)),
  );

/** POST /api/plans/{plan_id}/tags/add/, remove/ and set/. */
export class TagsBody {
  @IsTagList() tags!: TagBody[];
}
