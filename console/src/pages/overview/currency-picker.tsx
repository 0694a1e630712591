import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { organizationQuery } from '../../api/organization.js';
import { Field, SelectInput } from '../../shared/field.js';
import type { OverviewRange } from './range.js';
import { REPORTS } from './reports.js';

/** Currency of the page: that of its address, else the organization's, else one with invoices. */
export function useCurrencies(range: OverviewRange | undefined): {
  readonly currency: string | undefined;
  readonly known: readonly string[];
  /** Currency of the address in which there is nothing, so that another one is shown. */
  readonly ignored?: string;
} {
  const { currency } = useSearch({ from: '/' });
  const organization = useQuery(organizationQuery);
  const months = range?.months ?? {};
  const reports = [
    useQuery({ ...REPORTS.revenue(months), enabled: range !== undefined }),
    useQuery({ ...REPORTS.invoiced(months), enabled: range !== undefined }),
    useQuery({ ...REPORTS.credits(months), enabled: range !== undefined }),
    useQuery(REPORTS.receivables),
  ];
  const rows = reports.flatMap(({ data }) => (data?.rows ?? []) as readonly { currency_code: string }[]);
  const known = [...new Set(rows.map(({ currency_code: code }) => code))].sort();
  if (reports.some(({ isPending }) => isPending) || organization.isPending) return { currency, known };
  const usual = organization.data?.default_currency_code;
  if (currency !== undefined && (currency === usual || known.includes(currency))) return { currency, known };
  const shown = usual !== undefined && known.includes(usual) ? usual : (known[0] ?? usual);
  return { currency: shown, known, ...(currency === undefined ? {} : { ignored: currency }) };
}

interface CurrencyPickerProps {
  readonly currency: string;
  readonly known: readonly string[];
}

/** Picker of the currency. Currencies are never added up. */
export function CurrencyPicker({ currency, known }: CurrencyPickerProps) {
  const navigate = useNavigate();
  if (known.length < 2) return null;
  return (
    <Field label="Currency">
      <SelectInput
        value={currency}
        onChange={({ target }) =>
          void navigate({ to: '/', search: (now) => ({ ...now, currency: target.value }) })
        }
      >
        {known.map((code) => (
          <option key={code}>{code}</option>
        ))}
      </SelectInput>
    </Field>
  );
}
