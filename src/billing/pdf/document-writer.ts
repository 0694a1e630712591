import { Injectable } from '@nestjs/common';
import { AddonCatalog } from '../../catalog/addon-catalog.js';
import { PlanCatalog } from '../../catalog/plan-catalog.js';
import type { Uuid } from '../../kernel/ids.js';
import { LogoStore } from '../../organization/logos/logo-store.js';
import type { PriceContent } from '../../pricing/price-content.js';
import type { ComputedInvoice } from '../accounts/domain/event-data.js';
import type { Prices } from './document-rows.js';
import { invoiceDocument, type DocumentSource } from './invoice-document.js';
import type { Attachment } from './page.js';

type Issued = Omit<DocumentSource, 'logo' | 'prices'>;

/** Writes the document of an issued invoice, with the logo and the prices that it names. */
@Injectable()
export class DocumentWriter {
  constructor(
    private readonly plans: PlanCatalog,
    private readonly addons: AddonCatalog,
    private readonly logos: LogoStore,
  ) {}

  async write(org: Uuid, issued: Issued, attachment?: Attachment): Promise<Buffer> {
    const { invoice, seller } = issued;
    const logo = seller.logo ? await this.logos.find(org, seller.logo) : undefined;
    const prices = await this.pricesOf(org, invoice);
    // Fonts and their shaping take as long to load as half of the service, so they load with the first document.
    const { renderInvoice } = await import('./render-invoice.js');
    return renderInvoice(invoiceDocument({ ...issued, logo, prices }), attachment);
  }

  /** Loads the price contents of the versions that lines charge; they never change. */
  private async pricesOf(org: Uuid, { lines }: ComputedInvoice): Promise<Prices> {
    const prices = new Map<string, PriceContent>();
    for (const { addon, plan } of lines) {
      const versionId = addon?.addonVersionId ?? plan?.versionId;
      if (versionId === undefined || prices.has(versionId)) continue;
      const sold = addon
        ? await this.addons.load(org, addon.addonId)
        : await this.plans.versionOf(org, plan!.planId, versionId);
      if (sold) prices.set(versionId, sold.version.content);
    }
    return prices;
  }
}
