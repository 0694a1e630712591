import { useNavigate, useSearch } from '@tanstack/react-router';

/** Parameters that name what is shown on a page, with commas between: numbers of charts, and what is unfolded. */
type Parameter = 'numbers' | 'open';
type DisclosureSearch = { readonly [Name in Parameter]?: string | undefined };

const nameOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '-');

/** Keeps in the address whether a part of a page is shown, such as `?numbers=receivables-by-age`. */
export function useDisclosureInUrl(
  parameter: Parameter,
  title: string,
): readonly [boolean, (isShown: boolean) => void] {
  const search: DisclosureSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const name = nameOf(title);
  const namesOf = (of: DisclosureSearch): readonly string[] =>
    of[parameter]?.split(',').filter(Boolean) ?? [];
  const setShown = (isShown: boolean): void =>
    void navigate({
      to: '.',
      search: (now: DisclosureSearch) => {
        const others = namesOf(now).filter((one) => one !== name);
        return { ...now, [parameter]: (isShown ? [...others, name] : others).join(',') || undefined };
      },
      replace: true,
      resetScroll: false,
    });
  return [namesOf(search).includes(name), setShown];
}
