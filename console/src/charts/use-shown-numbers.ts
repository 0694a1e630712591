import { useNavigate, useSearch } from '@tanstack/react-router';

interface NumbersSearch {
  /** Charts whose numbers are shown, with commas between. */
  readonly numbers?: string;
}

/** Keeps in the address whether the numbers of a chart are shown, such as `?numbers=receivables-by-age`. */
export function useShownNumbers(title: string): readonly [boolean, (isShown: boolean) => void] {
  const search: NumbersSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const shown = search.numbers?.split(',').filter(Boolean) ?? [];
  const setShown = (isShown: boolean): void => {
    const others = shown.filter((one) => one !== name);
    const numbers = (isShown ? [...others, name] : others).join(',') || undefined;
    void navigate({
      to: '.',
      search: (now: NumbersSearch) => ({ ...now, numbers }),
      replace: true,
      resetScroll: false,
    });
  };
  return [shown.includes(name), setShown];
}
