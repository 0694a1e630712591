import type { ReactNode } from 'react';
import { NotFoundError } from '../../../clients/typescript/src/errors.js';
import { EmptyState } from './empty-state.js';
import { Page } from './page.js';

export const isNotFound = (error: unknown): boolean => error instanceof NotFoundError;

interface ResourceNotFoundProps {
  /** Kind of the resource, such as `customer`. */
  readonly kind: string;
  readonly id: string;
  readonly trail: ReactNode;
  /** Suggests where else to look. */
  readonly children?: ReactNode;
}

/** Page of an unknown id. Ids of other organizations are unknown too. */
export function ResourceNotFound({ kind, id, trail, children }: ResourceNotFoundProps) {
  return (
    <Page title={`No such ${kind}`} trail={trail}>
      <EmptyState title={`This organization has no ${kind} ${id}`}>
        Check the address. If the {kind} belongs to another organization, log in with a key of that
        organization. {children}
      </EmptyState>
    </Page>
  );
}
