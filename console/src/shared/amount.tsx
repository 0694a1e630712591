import styles from './amount.module.css';
import { classNames } from './class-names.js';
import { digitsOf } from './digits.js';
import { LOCALE } from './locale.js';

const formats = new Map<string, Intl.NumberFormat>();

/** Returns the format of amounts with at least the minor units of their currency, and at most so many digits. */
export function amountFormat(currency: string, digits: number): Intl.NumberFormat {
  const name = `${currency} ${digits}`;
  let format = formats.get(name);
  if (!format) {
    const plain = new Intl.NumberFormat(LOCALE, { style: 'currency', currency });
    const usual = plain.resolvedOptions().maximumFractionDigits ?? 2;
    format =
      digits <= usual
        ? plain
        : new Intl.NumberFormat(LOCALE, {
            style: 'currency',
            currency,
            maximumFractionDigits: Math.min(digits, 20),
          });
    formats.set(name, format);
  }
  return format;
}

/** Formats an amount in major units with every digit of the API. */
export const formatAmount = (value: number, currency: string): string =>
  amountFormat(currency, digitsOf(value)).format(value);

const QUANTITY = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20 });

/** Formats a quantity with every digit. */
export const formatQuantity = (value: number): string => QUANTITY.format(value);

interface AmountsDueProps {
  readonly amounts: readonly { readonly code: string; readonly amount: number }[];
}

/** Amounts of several currencies, one below the other. */
export const AmountsDue = ({ amounts }: AmountsDueProps) =>
  amounts.map(({ code, amount }) => (
    <div key={code}>
      <Amount value={amount} currency={code} isFaint={amount === 0} />
    </div>
  ));

interface AmountProps {
  readonly value: number;
  readonly currency: string;
  readonly isFaint?: boolean;
}

export function Amount({ value, currency, isFaint = false }: AmountProps) {
  return (
    <span className={classNames(styles.amount, isFaint && styles.faint)}>
      {formatAmount(value, currency)}
    </span>
  );
}
