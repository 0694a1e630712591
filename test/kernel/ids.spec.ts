import { v5 } from 'uuid';
import { describe, expect, it } from '@jest/globals';
import { customerKeyOf, derivedId, fromWireId, isUuid, namedId, toWireId } from '../../src/kernel/ids.js';

const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
const hex = '0f8fad5bd9cb469fa16570867728950e';

describe('ids on the wire', () => {
  it('carry their kind and 32 hex digits; invoices keep their dashes', () => {
    expect(toWireId('plan', id)).toBe(`plan_${hex}`);
    expect(toWireId('invoice', id)).toBe(`invoice_${id}`);
  });

  it.each([`plan_${hex}`, `plan_${id}`, hex, id, hex.toUpperCase(), `plan_${id.toUpperCase()}`])(
    'are read with or without prefix and dashes: %s',
    (text) => expect(fromWireId('plan', text)).toBe(id),
  );

  it.each([
    '',
    'plan_',
    `sub_${hex}`,
    `plan_version_${hex}`,
    `plan_plan_${hex}`,
    `PLAN_${hex}`,
    hex.slice(1),
    `${hex}0`,
    `0f8fad5b-d9cb469fa16570867728950e`,
    `0f8fad5bd-9cb-469f-a165-70867728950e`,
    `0g8fad5bd9cb469fa16570867728950e`,
    ` ${hex}`,
    `${hex}\n`,
  ])('that cannot be one of this kind are not read: %j', (text) => {
    expect(fromWireId('plan', text)).toBeUndefined();
  });

  it('of a longer kind are not taken for those of a shorter', () => {
    expect(fromWireId('plan_version', toWireId('plan_version', id))).toBe(id);
    expect(fromWireId('addon', toWireId('addon_sub', id))).toBeUndefined();
    expect(fromWireId('sub', toWireId('addon_sub', id))).toBeUndefined();
  });
});

describe('derived ids', () => {
  it('are found again by a repeat and differ by role, command and customer', () => {
    expect(derivedId(id, 'successor')).toBe(derivedId(id, 'successor'));
    expect(derivedId(id, 'successor')).not.toBe(derivedId(id, 'invoice'));
    expect(derivedId(id, 'successor')).not.toBe(derivedId(namedId('other'), 'successor'));
    expect(customerKeyOf(id, 'c1')).not.toBe(customerKeyOf(id, 'c2'));
    expect(customerKeyOf(id, 'c1')).not.toBe(customerKeyOf(namedId('other'), 'c1'));
    expect(customerKeyOf(id, 'c1')).not.toBe(derivedId(id, 'c1'));
  });

  it('are lower-case UUIDs that stay the same from release to release', () => {
    expect(isUuid(derivedId(id, 'successor'))).toBe(true);
    expect(derivedId('886313e1-3b8a-5372-9b90-0c9aee199e5d', 'x')).toBe(
      'ae609e35-7cb7-5329-918f-b5e57f49d54f',
    );
    expect(namedId('first organization')).toBe('ec13f2e4-8261-5e72-b82a-3aee3ce2cc04');
  });

  it('are version 5 of RFC 9562, of names of any length and letters, one after the other', () => {
    for (const name of ['', 'role', 'ż'.repeat(336), 'ż'.repeat(337), '🧾'.repeat(600), 'x'.repeat(5_000)]) {
      expect(derivedId(id, name)).toBe(v5(name, id));
      expect(derivedId(namedId(name), 'short')).toBe(v5('short', namedId(name)));
    }
  });
});
