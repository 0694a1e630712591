import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsString,
  MaxLength,
} from 'class-validator';
import { TRIGGERS, type Trigger } from '../domain/triggers.js';

export class CreateWebhookBody {
  @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  @IsString() @IsNotEmpty() @MaxLength(2_000) webhook_url!: string;
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(TRIGGERS.length)
  @ArrayUnique()
  @IsIn(TRIGGERS, { each: true })
  triggers!: Trigger[];
}
