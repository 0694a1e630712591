import { Link } from '@tanstack/react-router';
import { EmptyState } from '../shared/empty-state.js';
import { Page } from '../shared/page.js';

export function NotFoundPage() {
  return (
    <Page title="Not found">
      <EmptyState title="There is no page at this address">
        Check the address, or go to the <Link to="/">overview</Link>.
      </EmptyState>
    </Page>
  );
}
