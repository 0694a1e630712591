import { Injectable, type OnModuleInit } from '@nestjs/common';
import { customerKeyOf } from '../kernel/ids.js';
import { streamName } from '../kernel/stream.js';
import { EtagLocators } from '../platform/http/etag/etag-locators.js';

/** Locates the stream that a customer's ETag comes from. */
@Injectable()
export class CustomerEtagLocator implements OnModuleInit {
  constructor(private readonly streams: EtagLocators) {}

  onModuleInit(): void {
    this.streams.register('customer_id', (org, customerId) =>
      streamName('customer', org, customerKeyOf(org, customerId)),
    );
  }
}
