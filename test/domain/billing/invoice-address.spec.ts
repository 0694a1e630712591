import { describe, expect, it } from '@jest/globals';
import { postalAddressLines } from '../../../src/billing/pdf/address.js';
import type { PostalAddress } from '../../../src/customer/domain/personal-data.js';

const linesOf = (
  country: string,
  line1: string,
  postalCode: string,
  city: string,
  state: string | null = null,
  line2: string | null = null,
) => postalAddressLines({ country, line1, line2, postalCode, city, state });

/** Codes of all countries, some of which the data of addresses does not have. */
const COUNTRIES = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((first) =>
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((second) => first + second),
);

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

  it.each([
    ['GB', '1 High Street', 'OX1 4AA', 'Oxford', 'Oxfordshire', 'Oxford / Oxfordshire / OX1 4AA'],
    ['NZ', '1 Queen St', '1010', 'Auckland', 'Auckland Region', 'Auckland 1010 / Auckland Region'],
    ['ZA', '1 Main Rd', '8001', 'Cape Town', 'Western Cape', 'Cape Town / Western Cape / 8001'],
    ['IL', 'Herzl 1', '6100000', 'Tel Aviv', 'Center', 'Tel Aviv 6100000 / Center'],
    ['DE', 'Weg 1', '80331', 'München', 'Bayern', '80331 München / Bayern'],
    ['FR', '1 rue X', '75001', 'Paris', 'Île-de-France', '75001 Paris / Île-de-France'],
    ['NL', 'Straat 1', '1011 AB', 'Amsterdam', 'Noord-Holland', '1011 AB Amsterdam / Noord-Holland'],
    ['PL', 'ul. 1', '00-001', 'Warszawa', 'Mazowieckie', '00-001 Warszawa / Mazowieckie'],
    ['CH', 'Weg 1', '3000', 'Bern', 'BE', 'CH-3000 Bern / BE'],
    ['DK', 'Gade 1', '1050', 'København', 'Hovedstaden', '1050 København / Hovedstaden'],
    ['SA', 'King Rd', '23431', 'Jeddah', 'Makkah', 'Jeddah 23431 / Makkah'],
    ['PK', 'Mall Rd', '54000', 'Lahore', 'Punjab', 'Lahore-54000 / Punjab'],
    ['BD', 'Road 1', '1205', 'Dhaka', 'Dhaka Division', 'Dhaka - 1205 / Dhaka Division'],
    ['LK', 'Road 1', '00100', 'Colombo', 'Western', 'Colombo / Western / 00100'],
    ['BO', 'Calle 1', '', 'Cochabamba', 'Cercado', 'Cochabamba / Cercado'],
    ['GG', 'Quay 1', 'GY1 1AA', 'St Peter Port', 'Guernsey', 'St Peter Port / GUERNSEY / GY1 1AA'],
    ['AT', 'Weg 1', '1010', 'Wien', 'Wien', '1010 Wien'],
    ['GB', 'The Barn', 'OX1 4AA', '', 'Oxfordshire', 'Oxfordshire / OX1 4AA'],
  ])(
    'in %s has a state on a line of its own below the city',
    (country, street, code, city, state, places) => {
      expect(linesOf(country, street, code, city, state)).toEqual([street, ...places.split(' / ')]);
    },
  );

  it('takes a state for written only where it is a whole word', () => {
    expect(linesOf('HU', 'Fő utca 1', '1011', 'Budapest', 'Pest')).toEqual([
      'Budapest',
      'Pest',
      'Fő utca 1',
      '1011',
    ]);
  });

  it.each([
    ['JP', '1-1 Chiyoda', '100-0001', 'Chiyoda-ku', 'Tokyo', '1-1 Chiyoda / Chiyoda-ku, Tokyo / 100-0001'],
    ['JP', '千代田1-1', '100-0001', '千代田区', '東京都', '〒100-0001 / 東京都 / 千代田区 / 千代田1-1'],
    ['AE', 'Street 1', '', 'Al Ain', 'Abu Dhabi', 'Street 1 / Al Ain / Abu Dhabi'],
    ['AE', 'Street 1', '', 'Dubai', 'Dubai', 'Street 1 / Dubai'],
    ['AE', 'برج المدينة', '12345', 'دبي', '', 'برج المدينة / 12345 دبي'],
    ['HK', '1 Queens Rd', '999077', 'Central', 'Hong Kong', '1 Queens Rd / 999077 Central / Hong Kong'],
    ['SG', '1 Raffles Pl', '048616', 'Singapore', 'Central', '1 Raffles Pl / Central / SINGAPORE 048616'],
    ['GI', '1 Main St', 'GX11 1AA', 'Gibraltar', '', '1 Main St / GIBRALTAR / GX11 1AA'],
  ])(
    'in %s has a city or postal code that its country does not write',
    (country, street, code, city, state, lines) => {
      expect(linesOf(country, street, code, city, state)).toEqual(lines.split(' / '));
    },
  );

  it('loses no part, whatever the country', () => {
    for (const country of COUNTRIES) {
      for (const street of ['1 Street', '千代田1']) {
        const text = linesOf(country, street, 'Q7', 'Town', 'Land', 'Floor').join('\n');
        for (const part of [street, 'Floor', 'Q7', 'Town', 'Land']) expect(text.split(part)).toHaveLength(2);
        expect(text).not.toMatch(/^[\s,-]|[\s,-]$/m);
      }
    }
  });

  it('has both streets, and all parts without a country', () => {
    expect(linesOf('JP', '1-1 Chiyoda', '100-0001', '', 'Tokyo', 'Floor 2')).toEqual([
      '1-1 Chiyoda',
      'Floor 2, Tokyo',
      '100-0001',
    ]);
    expect(linesOf('CI', 'Rue 1', '', 'Abidjan', 'Lagunes', 'Plateau')).toEqual([
      'Rue 1',
      'Plateau Abidjan',
      'Lagunes',
    ]);
    const address: PostalAddress = {
      country: null,
      line1: 'Main Street 1',
      line2: ' ',
      postalCode: '123',
      city: 'Somewhere',
      state: null,
    };
    expect(postalAddressLines(address)).toEqual(['Main Street 1', '123 Somewhere']);
    expect(postalAddressLines({ ...address, state: 'Land' }).slice(1)).toEqual(['123 Somewhere', 'Land']);
  });
});
