import { describe, expect, it } from '@jest/globals';
import { invoiceDocument } from '../../../src/billing/pdf/invoice-document.js';
import { anInvoice, PERSON, SELLER } from '../../support/builders/e-invoices.js';

const documentOf = (name: string | null) =>
  invoiceDocument({
    invoice: anInvoice('EUR', [{ net: 1_000n, rate: '19' }], 0n),
    number: '260201-000001',
    isVoided: false,
    seller: SELLER,
    customer: { ...PERSON, name },
    prices: new Map(),
  });

describe('the content of an invoice document', () => {
  it.each([null, '', '  '])('names a customer without a name by its id, once: %j', (name) => {
    const { customer } = documentOf(name);
    expect(customer[0]).toBe('c-1');
    expect(customer.filter((line) => line.includes('c-1'))).toHaveLength(1);
  });

  it('has the id of a customer below its name', () => {
    expect(documentOf('Acme').customer).toEqual(expect.arrayContaining(['Acme', 'Customer c-1']));
  });
});
