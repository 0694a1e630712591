export const INVOICE_PDFS_MIGRATION = `
create table invoice_pdfs (
  org uuid not null,
  invoice_id uuid not null,
  kind text not null check (kind in ('issued', 'voided', 'issued_erased', 'voided_erased')),
  sealed text not null,
  made_at timestamptz not null default now(),
  primary key (org, invoice_id, kind)
);
comment on table invoice_pdfs is 'The first bytes of every PDF that was asked for: later requests get the same ones.';
comment on column invoice_pdfs.org is 'Tenant.';
comment on column invoice_pdfs.invoice_id is 'The invoice, as read models name it.';
comment on column invoice_pdfs.kind is 'What the document shows: issued or voided, and _erased where the customer''s personal data was destroyed.';
comment on column invoice_pdfs.sealed is 'The bytes in base64, sealed: under the customer''s key, so that erasing the person destroys them; an erased one, which names nobody, under the key of records.';
comment on column invoice_pdfs.made_at is 'When it was made (wall time).';`;
