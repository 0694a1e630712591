import { Injectable, type OnModuleInit } from '@nestjs/common';
import { streamName } from '../kernel/stream.js';
import { EtagLocators } from '../platform/http/etag/etags.js';
import { SETTINGS } from './domain/organization.js';

/** Locates the stream that the ETag of the settings comes from. */
@Injectable()
export class SettingsEtagLocator implements OnModuleInit {
  constructor(private readonly streams: EtagLocators) {}

  onModuleInit(): void {
    this.streams.register('/api/organization', (org) => streamName('organization', org, SETTINGS));
  }
}
