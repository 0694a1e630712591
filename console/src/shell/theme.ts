export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** `public/theme.js` reads it before the first paint. */
const NAME = 'recount.theme';

export function readTheme(): Theme {
  const stored = localStorage.getItem(NAME);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(NAME);
    delete document.documentElement.dataset['theme'];
  } else {
    localStorage.setItem(NAME, theme);
    document.documentElement.dataset['theme'] = theme;
  }
}
