import { formatAddress } from 'localized-address-format';
import type { PostalAddress } from '../../customer/domain/personal-data.js';

/**
 * Matches letters of addresses that begin with the largest place, as in China and Japan when they are not in Latin
 * letters.
 */
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Marks where the city is in a form. No part of an address has a tab or a line break. */
const CITY = '\t';

/**
 * Returns the lines of a postal address without its country, in the order of that country. No part is dropped: a part
 * that the form of the country has no place for stands with the city, a state on a line below.
 */
export function postalAddressLines(address: PostalAddress): string[] {
  const postalCode = clean(address.postalCode);
  const city = clean(address.city);
  const state = clean(address.state);
  const streets = given(clean(address.line1), clean(address.line2));
  const isLocal = IDEOGRAPHS.test([...streets, postalCode, city, state].join(''));
  const format = (parts: Readonly<Record<string, string | string[]>>) =>
    formatAddress({ postalCountry: address.country ?? '', ...parts }, isLocal ? 'local' : 'latin');

  const hasPlace = (field: string) => format({ [field]: CITY }).some((line) => line.includes(CITY));
  const written = words(...format({ postalCode, locality: city, administrativeArea: state }));
  const leftOut = (field: string, part: string) =>
    hasPlace(field) || written.includes(words(part)) ? '' : part;
  const hasCity = hasPlace('locality');
  const cityParts = given(leftOut('postalCode', postalCode), hasCity ? city : leftOut('locality', city));
  const cityLines = given(cityParts.join(' '), leftOut('administrativeArea', state));
  const withCity = isLocal ? [...cityLines, ...streets] : [...streets, ...cityLines];
  return format({
    // One text with line breaks, as formatAddress breaks a line after the last of several.
    addressLines: [(hasCity ? streets : withCity).join('\n')],
    postalCode,
    locality: cityLines.length > 0 ? CITY : '',
    administrativeArea: state,
  })
    .map((line) => insertCity(line, cityLines))
    .flatMap((line) => line.split('\n'))
    .map((line) => line.replace(/^(\p{L}{1,2}-|〒)\1/u, '$1'));
}

function insertCity(line: string, [first = '', ...below]: readonly string[]): string {
  return line.includes(CITY) ? [line.replace(CITY, () => first), ...below].join('\n') : line;
}

const clean = (part: string | null): string => (part ?? '').trim().replaceAll(/\s+/gu, ' ');

const given = (...parts: readonly string[]): string[] => parts.filter((part) => part !== '');

/** Returns the words of texts between blanks, in lower case. */
const words = (...texts: readonly string[]): string =>
  [' ', ...texts, ' ']
    .join(' ')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
