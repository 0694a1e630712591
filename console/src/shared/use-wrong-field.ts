import { useEffect, useRef, type RefObject } from 'react';

/** Gives the focus to the first field of a form that is marked as wrong, as soon as the form is refused. */
export function useWrongField(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error)
      form.current?.querySelector<HTMLElement>(':is(input, select, textarea)[data-invalid]')?.focus();
  }, [error]);
  return form;
}
