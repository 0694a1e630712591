/** Words of the document by language. Other languages have English words and their own numbers, dates and countries. */
const ENGLISH = {
  invoice: 'Invoice',
  creditNote: 'Credit note',
  number: 'Number',
  issued: 'Issue date',
  due: 'Due date',
  period: 'Billing period',
  from: 'From',
  billTo: 'Bill to',
  customer: 'Customer',
  description: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  tax: 'Tax',
  amount: 'Amount',
  subtotal: 'Subtotal',
  taxOn: 'Tax {rate} on {amount}',
  total: 'Total',
  creditApplied: 'Credit applied',
  creditGranted: 'Kept as credit for later invoices',
  appliedTo: 'Applied to invoice {number}',
  amountDue: 'Amount due',
  dueBy: '{amount} due by {date}',
  dueNow: '{amount} due',
  nothingDue: 'Nothing to pay',
  payment: 'Payment',
  accountHolder: 'Account holder',
  unusedTime: 'Unused time {period}',
  unusedUnits: 'Fewer units {period}',
  correctedUsage: 'Corrected usage {period}',
  movedUsage: 'Usage {period}, charged with the new plan',
  partOf: '{share} of the period',
  adjustment: 'Price adjustment {amount}',
  flat: 'Flat fee',
  free: 'Free',
  above: 'above {start}',
  upTo: 'up to {end}',
  per: '{price} per {units}',
  erased: 'Personal data erased',
  void: 'VOID',
  page: 'Page {page} of {count}',
  vat: 'VAT number',
  tax_number: 'Tax number',
  company_number: 'Company number',
  standIn: '□ stands for a character that the fonts of this document lack; the invoice itself has it.',
};

export type Word = keyof typeof ENGLISH;

const GERMAN: typeof ENGLISH = {
  ...{ invoice: 'Rechnung', creditNote: 'Gutschrift', number: 'Nummer', issued: 'Rechnungsdatum' },
  ...{ due: 'Fällig am', period: 'Leistungszeitraum', from: 'Von', billTo: 'An', customer: 'Kunde' },
  ...{ description: 'Beschreibung', quantity: 'Menge', unitPrice: 'Einzelpreis', tax: 'USt.' },
  ...{
    amount: 'Betrag',
    subtotal: 'Zwischensumme',
    taxOn: 'USt. {rate} auf {amount}',
    total: 'Gesamtbetrag',
  },
  ...{ creditApplied: 'Verrechnetes Guthaben', creditGranted: 'Guthaben für spätere Rechnungen' },
  ...{ appliedTo: 'Verrechnet mit Rechnung {number}', amountDue: 'Zu zahlen' },
  ...{
    dueBy: '{amount} zahlbar bis {date}',
    dueNow: '{amount} zahlbar',
    nothingDue: 'Kein Betrag zu zahlen',
  },
  ...{ payment: 'Zahlung', accountHolder: 'Kontoinhaber', unusedTime: 'Nicht genutzte Zeit {period}' },
  ...{ unusedUnits: 'Weniger Einheiten {period}', correctedUsage: 'Berichtigte Nutzung {period}' },
  ...{ movedUsage: 'Nutzung {period}, mit dem neuen Tarif berechnet', partOf: '{share} des Zeitraums' },
  ...{ adjustment: 'Preisanpassung {amount}', flat: 'Pauschale', free: 'Frei', above: 'über {start}' },
  ...{ upTo: 'bis {end}', per: '{price} je {units}', erased: 'Personenbezogene Daten gelöscht' },
  ...{ void: 'STORNIERT', page: 'Seite {page} von {count}', vat: 'USt-IdNr.', tax_number: 'Steuernummer' },
  company_number: 'Handelsregister',
  standIn: '□ steht für ein Zeichen, das den Schriften dieses Dokuments fehlt; die Rechnung selbst hat es.',
};

const FRENCH: typeof ENGLISH = {
  ...{ invoice: 'Facture', creditNote: 'Avoir', number: 'Numéro', issued: 'Date d’émission' },
  ...{ due: 'Date d’échéance', period: 'Période de facturation', from: 'De', billTo: 'Facturé à' },
  ...{ customer: 'Client', description: 'Description', quantity: 'Quantité', unitPrice: 'Prix unitaire' },
  ...{ tax: 'TVA', amount: 'Montant HT', subtotal: 'Total HT', taxOn: 'TVA {rate} sur {amount}' },
  ...{
    total: 'Total TTC',
    creditApplied: 'Crédit utilisé',
    creditGranted: 'Crédit pour les factures suivantes',
  },
  ...{ appliedTo: 'Imputé sur la facture {number}', amountDue: 'Net à payer' },
  ...{ dueBy: '{amount} à payer avant le {date}', dueNow: '{amount} à payer', nothingDue: 'Rien à payer' },
  ...{ payment: 'Paiement', accountHolder: 'Titulaire du compte', unusedTime: 'Temps non utilisé {period}' },
  ...{ unusedUnits: 'Moins d’unités {period}', correctedUsage: 'Consommation corrigée {period}' },
  ...{
    movedUsage: 'Consommation {period}, facturée avec la nouvelle offre',
    partOf: '{share} de la période',
  },
  ...{
    adjustment: 'Ajustement de prix {amount}',
    flat: 'Forfait',
    free: 'Gratuit',
    above: 'au-delà de {start}',
  },
  ...{ upTo: 'jusqu’à {end}', per: '{price} par {units}', erased: 'Données personnelles effacées' },
  ...{ void: 'ANNULÉE', page: 'Page {page} sur {count}', vat: 'N° TVA', tax_number: 'N° fiscal' },
  company_number: 'N° d’immatriculation',
  standIn: '□ remplace un caractère absent des polices de ce document ; la facture elle-même le contient.',
};

const ARABIC: typeof ENGLISH = {
  ...{ invoice: 'فاتورة', creditNote: 'إشعار دائن', number: 'الرقم', issued: 'تاريخ الإصدار' },
  ...{ due: 'تاريخ الاستحقاق', period: 'فترة الفوترة', from: 'من', billTo: 'إلى', customer: 'العميل' },
  ...{ description: 'الوصف', quantity: 'الكمية', unitPrice: 'سعر الوحدة', tax: 'الضريبة', amount: 'المبلغ' },
  ...{ subtotal: 'المجموع الفرعي', taxOn: 'ضريبة {rate} على {amount}', total: 'الإجمالي' },
  ...{ creditApplied: 'الرصيد المستخدم', creditGranted: 'رصيد للفواتير اللاحقة' },
  ...{ appliedTo: 'طُبق على الفاتورة {number}', amountDue: 'المبلغ المستحق' },
  ...{ dueBy: '{amount} مستحق بحلول {date}', dueNow: '{amount} مستحق', nothingDue: 'لا يوجد مبلغ مستحق' },
  ...{ payment: 'الدفع', accountHolder: 'صاحب الحساب', unusedTime: 'وقت غير مستخدم {period}' },
  ...{ unusedUnits: 'وحدات أقل {period}', correctedUsage: 'استخدام مصحح {period}' },
  ...{ movedUsage: 'استخدام {period} محسوب مع الخطة الجديدة', partOf: '{share} من الفترة' },
  ...{ adjustment: 'تعديل السعر {amount}', flat: 'رسم ثابت', free: 'مجاني', above: 'فوق {start}' },
  ...{ upTo: 'حتى {end}', per: '{price} لكل {units}', erased: 'تم محو البيانات الشخصية' },
  ...{ void: 'ملغاة', page: 'صفحة {page} من {count}', vat: 'رقم ضريبة القيمة المضافة' },
  ...{ tax_number: 'الرقم الضريبي', company_number: 'رقم السجل التجاري' },
  standIn: '□ يمثل حرفًا لا تتضمنه خطوط هذا المستند؛ الفاتورة نفسها تتضمنه.',
};

const LANGUAGES: Readonly<Record<string, typeof ENGLISH>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  ar: ARABIC,
};

/** Languages that are written from right to left, and whose words the document has. */
const RIGHT_TO_LEFT = new Set(['ar']);

/** Words, numbers, dates and countries of a document in one locale. */
export class Wording {
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  readonly #words: typeof ENGLISH;
  readonly #dates: Intl.DateTimeFormat;
  readonly #countries: Intl.DisplayNames;
  readonly #numbers = new Map<number, Intl.NumberFormat>();

  /** @param currency of the amounts */
  constructor(
    locale: string | null,
    private readonly currency: string,
  ) {
    const tag = new Intl.Locale(locale ?? 'en-GB');
    this.locale = tag.toString();
    this.#words = LANGUAGES[tag.language] ?? ENGLISH;
    this.direction = RIGHT_TO_LEFT.has(tag.language) ? 'rtl' : 'ltr';
    this.#dates = new Intl.DateTimeFormat(this.locale, { dateStyle: 'long', timeZone: 'UTC' });
    this.#countries = new Intl.DisplayNames([this.locale, 'en'], { type: 'region' });
  }

  word(word: Word, values: Readonly<Record<string, string>> = {}): string {
    return this.#words[word].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  }

  /** @param day such as 2026-02-15 */
  day(day: string): string {
    return this.#dates.format(new Date(day));
  }

  /** Both days and those between; what they share is written once, such as 5–28 February 2026. */
  days(first: string, last: string): string {
    if (first === last) return this.day(first);
    const range = this.#dates.formatRange(new Date(first), new Date(last));
    // Thin spaces around the dash read well between words, not between the numbers of two days.
    return range.replace(/(\d)[\u2009 ]–[\u2009 ](\d)/, '$1–$2').replaceAll('\u2009', ' ');
  }

  country(code: string): string {
    return /^[A-Z]{2}$/.test(code) ? (this.#countries.of(code) ?? code) : code;
  }

  /** An amount without its currency. @param decimal exact; Intl reads every digit */
  amount(decimal: string): string {
    return this.number(decimal, (/\.(\d+)$/.exec(decimal)?.[1] ?? '').length);
  }

  number(decimal: string, decimals = 0): string {
    let format = this.#numbers.get(decimals);
    if (!format) {
      const options = { minimumFractionDigits: decimals, maximumFractionDigits: Math.max(decimals, 12) };
      this.#numbers.set(decimals, (format = new Intl.NumberFormat(this.locale, options)));
    }
    return format.format(decimal as `${number}`);
  }

  money(decimal: string): string {
    const decimals = (/\.(\d+)$/.exec(decimal)?.[1] ?? '').length;
    return new Intl.NumberFormat(this.locale, {
      style: 'currency',
      currency: this.currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }).format(decimal as `${number}`);
  }

  /** @param decimal percent, such as 7.25 */
  percent(decimal: string): string {
    const options = { style: 'percent', maximumFractionDigits: 4 } as const;
    return new Intl.NumberFormat(this.locale, options).format(Number(decimal) / 100);
  }
}
