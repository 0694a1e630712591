import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { readForm, withoutForm, writeForm, type FormSearch, type FormShape } from './form-search.js';

interface OpenForm {
  readonly act?: string | undefined;
  readonly on?: string | undefined;
  readonly preview?: string | undefined;
}

/** Time without typing after which the address follows: browsers limit how often it may change. */
const REST_MS = 300;
/** Proxies refuse addresses of 8 kB. */
const LONGEST = 6_000;

interface FormOptions<Values extends object> {
  readonly shape: FormShape<Values>;
  /** Values that an address leaves out. */
  readonly beginning: Values;
  /** Values of today, which an address has once something is typed. */
  readonly suggested?: Partial<Values> | undefined;
}

/** Keeps the values of a form in the address, with whether their preview is shown. */
export function useFormValues<Values extends object>({ shape, beginning, suggested }: FormOptions<Values>) {
  const search: OpenForm = useSearch({ strict: false });
  const navigate = useNavigate();
  const [first] = useState(() => ({
    ...readForm(shape, { ...beginning, ...suggested }, search),
    act: search.act,
    on: search.on,
    isPreviewed: search.preview === 'shown',
  }));
  const [values, setValues] = useState(first.values);
  const latest = useRef(values);
  const [isTooLong, setTooLong] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const note = (noted: Values, isPreviewed: boolean): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const written = writeForm(shape, beginning, noted);
      const fits = encodeURIComponent(JSON.stringify(written)).length <= LONGEST;
      setTooLong(!fits);
      void navigate({
        to: '.',
        search: (now: OpenForm & FormSearch) => {
          const isClosed = now.act !== first.act || now.on !== first.on;
          if (isClosed) return now;
          const preview = isPreviewed && fits ? 'shown' : undefined;
          return { ...withoutForm(now), ...(fits ? written : {}), preview };
        },
        state: true,
        replace: true,
        resetScroll: false,
      });
    }, REST_MS);
  };
  const change = (part: Partial<Values>): void => {
    latest.current = { ...latest.current, ...part };
    setValues(latest.current);
    note(latest.current, false);
  };
  return {
    values,
    change,
    /** Tells whether the address asked for the preview. */
    wasPreviewed: first.isPreviewed,
    notePreview: () => note(latest.current, true),
    /** Takes the values out of the address, as they have been used. */
    forget: () => note(beginning, false),
    notice: { ignored: first.ignored, isTooLong },
  };
}
