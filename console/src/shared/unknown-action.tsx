import { useIsFetching } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { Ignored } from './ignored.js';

/** Names of the forms of the page, each with how many buttons open it. */
const known = new Map<string, number>();
const listeners = new Set<() => void>();

function note(name: string, more: 1 | -1): void {
  known.set(name, (known.get(name) ?? 0) + more);
  for (const listener of listeners) listener();
}

/** Tells that the page has a form of this name. */
export const useKnownAction = (name: string): void =>
  useEffect(() => {
    note(name, 1);
    return () => note(name, -1);
  }, [name]);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says that the address asks for a form that the page does not have, once the page has loaded. */
export function UnknownAction() {
  const { act, on }: { readonly act?: string; readonly on?: string } = useSearch({ strict: false });
  const isKnown = useSyncExternalStore(subscribe, () => act === undefined || (known.get(act) ?? 0) > 0);
  const loading = useIsFetching({ predicate: ({ state }) => state.data === undefined });
  if (isKnown || on !== undefined || loading > 0) return null;
  return <Ignored what={`act=${act}`}>which this page has no form for</Ignored>;
}
