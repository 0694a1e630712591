import { Injectable, type OnModuleInit } from '@nestjs/common';
import { fromWireId } from '../kernel/ids.js';
import { streamName } from '../kernel/stream.js';
import { EtagLocators } from '../platform/http/etag/etag-locators.js';

/** A subscription has an ETag. */
@Injectable()
export class SubscriptionEtagLocator implements OnModuleInit {
  constructor(private readonly streams: EtagLocators) {}

  onModuleInit(): void {
    this.streams.register('subscription_id', (org, text) => {
      const id = fromWireId('sub', text);
      return id && streamName('subscription', org, id);
    });
  }
}
