import { isCurrency } from '../../kernel/money.js';
import { InvalidRequest } from '../../platform/http/invalid-request.js';
import type { QueryParams } from '../../platform/http/query-params.js';

/** A currency code, in capitals. */
export const currencyIn =
  (name: string) =>
  (query: QueryParams): string | undefined => {
    const code = query.one(name)?.toUpperCase();
    if (code === undefined || isCurrency(code)) return code;
    const detail = 'There is no currency with this code of ISO 4217.';
    throw new InvalidRequest({ code: 'does_not_exist', detail, attr: name });
  };
