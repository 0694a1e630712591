/** Matches an invoice number such as 260531-000002. */
const INVOICE_NUMBER = /(\d{6}-\d{6,})/;

/** Text whose invoice numbers do not break at their hyphen. */
export const WithNumbers = ({ children }: { readonly children: string }) =>
  children.split(INVOICE_NUMBER).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="unbroken">
        {part}
      </span>
    ) : (
      part
    ),
  );
