import { useSyncExternalStore } from 'react';

const NARROW = window.matchMedia('screen and (max-width: 720px)');

const subscribe = (onChange: () => void): (() => void) => {
  NARROW.addEventListener('change', onChange);
  return () => NARROW.removeEventListener('change', onChange);
};

/** Tells whether the page has the width of a phone, for what CSS alone cannot arrange. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => NARROW.matches);
