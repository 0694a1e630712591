import { Injectable, type OnModuleInit } from '@nestjs/common';
import { streamName } from '../kernel/stream.js';
import { EtagLocators } from '../platform/http/etag/etag-locators.js';
import { SETTINGS } from './domain/organization.js';

/** The settings have an ETag. */
@Injectable()
export class SettingsStream implements OnModuleInit {
  constructor(private readonly streams: EtagLocators) {}

  onModuleInit(): void {
    this.streams.register('/api/organization', (org) => streamName('organization', org, SETTINGS));
  }
}
