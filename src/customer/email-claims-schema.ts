/** Indexes the claims on e-mail addresses by their owner: no other kind is released by owner. */
export const CLAIMS_OWNER_SCHEMA = `
drop index claims_owner;
create index claims_owner on claims (owner_stream) where kind = 'email';`;
