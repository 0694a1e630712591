/** Matches an invoice number such as 260531-000002, and an amount such as $1,234.56. */
const NUMBER = /(\d{6}-\d{6,}|[^\s\p{L}_]*\d{1,3}(?:,\d{3})+(?:\.\d+)?)/u;

/** Text whose invoice numbers and amounts do not break. */
export const WithNumbers = ({ children }: { readonly children: string }) =>
  children.split(NUMBER).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="unbroken">
        {part}
      </span>
    ) : (
      part
    ),
  );
