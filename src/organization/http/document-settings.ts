import { TAX_ID } from '../../customer/customer-schema.js';
import { integer, listOf, noted, nullable, object, oneOf, text } from '../../platform/http/openapi/schema.js';
import type { WireOf } from '../../platform/http/openapi/schema.js';
import type { DocumentSettings } from '../domain/events.js';

const said = (description: string) => nullable(text({ description }));

/** Settings of invoice documents (docs/contract.md#organization). */
export const DOCUMENT_SETTINGS = {
  legal_name: said('Name of the seller on invoices, as registered; null: the name of the organization.'),
  tax_ids: noted(listOf(TAX_ID), {
    description: 'Numbers under which the seller is registered, as printed on invoices.',
  }),
  payment_terms: said('Terms of payment on invoices, in words.'),
  payment_details: noted(
    nullable(
      object({
        account_holder: said('Holder of the account.'),
        iban: said('IBAN of the account, without spaces.'),
        bic: said('BIC of the bank.'),
        text: said('Further words, such as the reference to give.'),
      }),
    ),
    { description: 'Where customers pay to; null: the invoice has no payment block.' },
  ),
  invoice_footer: said('Text at the foot of every page of an invoice.'),
  invoice_locale: said('Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: English.'),
  logo: noted(
    nullable(
      object({
        media_type: noted(oneOf(['image/png', 'image/jpeg']), { description: 'Kind of the picture.' }),
        width: integer({ description: 'Width in pixels.' }),
        height: integer({ description: 'Height in pixels.' }),
        sha256: text({ description: 'sha256 of its bytes in hex.' }),
      }),
    ),
    { description: 'Picture at the head of invoices.' },
  ),
};

type ShownDocumentSettings = {
  readonly [Name in keyof typeof DOCUMENT_SETTINGS]: WireOf<(typeof DOCUMENT_SETTINGS)[Name]>;
};

export function presentDocumentSettings(settings: DocumentSettings): ShownDocumentSettings {
  const { paymentDetails, logo } = settings;
  return {
    legal_name: settings.legalName ?? null,
    tax_ids: settings.taxIds ?? [],
    payment_terms: settings.paymentTerms ?? null,
    payment_details: paymentDetails
      ? {
          account_holder: paymentDetails.accountHolder,
          iban: paymentDetails.iban,
          bic: paymentDetails.bic,
          text: paymentDetails.text,
        }
      : null,
    invoice_footer: settings.invoiceFooter ?? null,
    invoice_locale: settings.invoiceLocale ?? null,
    logo: logo
      ? { media_type: logo.mediaType, width: logo.width, height: logo.height, sha256: logo.digest }
      : null,
  };
}
