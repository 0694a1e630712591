import { describe, expect, it } from '@jest/globals';
import { postalAddressLines } from '../../../src/billing/pdf/address.js';
import type { PostalAddress } from '../../../src/customer/domain/personal-data.js';

const linesOf = (country: string, line1: string, postalCode: string, city: string, state?: string) =>
  postalAddressLines({ country, line1, line2: null, postalCode, city, state: state ?? null });

describe('an address on an invoice', () => {
  it('is written as its country writes addresses', () => {
    expect(linesOf('US', '1200 Market Street', '94102', 'San Francisco', 'CA')).toEqual([
      '1200 Market Street',
      'San Francisco, CA 94102',
    ]);
    expect(linesOf('GB', '10 Downing Street', 'SW1A 2AA', 'London')).toEqual([
      '10 Downing Street',
      'London',
      'SW1A 2AA',
    ]);
    expect(linesOf('DE', 'Königsallee 100', '40215', 'Düsseldorf')).toEqual([
      'Königsallee 100',
      '40215 Düsseldorf',
    ]);
    expect(linesOf('IN', '१२, महात्मा गांधी मार्ग', '400001', 'मुंबई', 'महाराष्ट्र')).toEqual([
      '१२, महात्मा गांधी मार्ग',
      'मुंबई 400001',
      'महाराष्ट्र',
    ]);
  });

  it('begins with the largest place where it is in Chinese, not where it is in Latin letters', () => {
    expect(linesOf('CN', '南京西路1266号', '200040', '静安区', '上海市')).toEqual([
      '200040',
      '上海市静安区',
      '南京西路1266号',
    ]);
    expect(linesOf('CN', '1266 West Nanjing Road', '200040', 'Jing’an', 'Shanghai')).toEqual([
      '1266 West Nanjing Road',
      'Jing’an',
      'Shanghai, 200040',
    ]);
  });

  it('has a prefix of its postal code once', () => {
    expect(linesOf('CH', 'Bahnhofstrasse 1', '8001', 'Zürich').at(-1)).toBe('CH-8001 Zürich');
    expect(linesOf('CH', 'Bahnhofstrasse 1', 'CH-8001', 'Zürich').at(-1)).toBe('CH-8001 Zürich');
  });

  it('loses no part that its country does not write, and nothing of an address without a country', () => {
    expect(linesOf('DE', 'Königsallee 100', '40215', 'Düsseldorf', 'NRW').at(-1)).toBe(
      '40215 Düsseldorf NRW',
    );
    expect(linesOf('AE', 'برج المدينة', '12345', 'دبي').at(-1)).toBe('12345 دبي');
    const address: PostalAddress = {
      country: null,
      line1: 'Main Street 1',
      line2: ' ',
      postalCode: '123',
      city: 'Somewhere',
      state: null,
    };
    expect(postalAddressLines(address)).toEqual(['Main Street 1', '123 Somewhere']);
  });
});
