import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { Proofs, type Subject } from './proofs.js';

/** Asks for the text of an inclusion proof. */
export class GetProof extends Query<string> {
  constructor(
    readonly org: Uuid,
    readonly subject: Subject,
  ) {
    super();
  }
}

@QueryHandler(GetProof)
export class GetProofHandler implements IQueryHandler<GetProof> {
  constructor(private readonly proofs: Proofs) {}

  /** @throws DomainError `does_not_exist`; `max_value`, `invalid_state` when no checkpoint covers the subject */
  execute({ org, subject }: GetProof): Promise<string> {
    return this.proofs.inclusion(org, subject);
  }
}
