import { getRouteApi } from '@tanstack/react-router';
import styles from './customer-changes-page.module.css';

const route = getRouteApi('/customers/$customerId/changes');

interface UnavailableFormProps {
  /** Ids that the page has forms for; undefined: not known yet. */
  readonly ids: readonly string[] | undefined;
}

/** Says that the address asks for the form of something that cannot be changed. */
export function UnavailableForm({ ids }: UnavailableFormProps) {
  const { act, on } = route.useSearch();
  if (on === undefined || ids === undefined || ids.includes(on)) return null;
  return (
    <p role="status" className={styles.unavailable}>
      The address asks for the form <code>{act}</code> of <code>{on}</code>, which cannot be changed: it has
      ended, it is paid, or it belongs to another customer.
    </p>
  );
}
