import { formatAddress } from 'localized-address-format';
import type { PostalAddress } from '../../customer/domain/personal-data.js';

/**
 * Matches letters of addresses that begin with the largest place, as in China and Japan when they are not in Latin
 * letters.
 */
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns the lines of a postal address without its country, in the order of that country. No part is dropped. */
export function postalAddressLines({
  line1,
  line2,
  postalCode,
  city,
  state,
  country,
}: PostalAddress): string[] {
  const [streets, places] = [given(line1, line2), given(postalCode, city, state)];
  const lines = formatAddress(
    {
      postalCountry: country ?? '',
      addressLines: streets,
      postalCode: postalCode?.trim() ?? '',
      locality: city?.trim() ?? '',
      administrativeArea: state?.trim() ?? '',
    },
    IDEOGRAPHS.test([...streets, ...places].join('')) ? 'local' : 'latin',
  ).map((line) => line.replace(/^(\p{L}{1,2}-|〒)\1/u, '$1'));
  const text = lines.join('\n').toLowerCase();
  const isWhole = [...streets, ...places].every((part) => text.includes(part.toLowerCase()));
  return isWhole ? lines : [...streets, ...given(places.join(' '))];
}

const given = (...parts: readonly (string | null)[]): string[] =>
  parts.flatMap((part) => (part === null || part.trim() === '' ? [] : [part.trim()]));
