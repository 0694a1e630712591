import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { FairShare } from '../../platform/concurrency/limits.js';
import type { Verification } from '../rating/verify.js';
import { InvoiceVerifier } from './invoice-verifier.js';
import { issuedInvoice } from '../accounts/issued-invoice.js';

export class VerifyInvoice extends Query<Verification> {
  constructor(
    readonly org: Uuid,
    /** Id or number of the invoice, as the caller wrote it. */
    readonly name: string,
    /** Aborts when the client disconnects. */
    readonly signal: AbortSignal = new AbortController().signal,
  ) {
    super();
  }
}

/** Limits concurrent verifications: each counts usage again, on connections that all work shares. */
const AT_ONCE = 4;
const WAIT_MS = 10_000;
const MAX_WAITING = 100;

@QueryHandler(VerifyInvoice)
export class VerifyInvoiceHandler implements IQueryHandler<VerifyInvoice> {
  readonly #share = new FairShare({
    slots: AT_ONCE,
    waitMs: WAIT_MS,
    mostWaiting: MAX_WAITING,
    refusal:
      'Your organization verifies more invoices than are looked at at once. Send fewer at a time, or try again.',
  });

  constructor(
    private readonly database: Database,
    private readonly verifier: InvoiceVerifier,
  ) {}

  /** @throws DomainError `not_found`; `throttled` where the organization verifies too much at once */
  async execute({ org, name, signal }: VerifyInvoice): Promise<Verification> {
    const invoice = await issuedInvoice(this.database, org, name);
    return this.#share.run(org, signal, () => this.verifier.begin()(invoice));
  }
}
