import { useEffect, useRef, type RefObject } from 'react';

/** Gives the focus to an element when it appears, so that screen readers go on with it. Its `tabIndex` is -1. */
export function useFocusOnce<Shown extends HTMLElement>(): RefObject<Shown | null> {
  const element = useRef<Shown>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
