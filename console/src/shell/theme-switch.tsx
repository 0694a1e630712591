import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../shared/class-names.js';
import styles from './shell.module.css';
import { applyTheme, readTheme, THEMES, type Theme } from './theme.js';

const ICONS = { system: Monitor, light: Sun, dark: Moon };
const LABELS: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

export function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme);
  const choose = (chosen: Theme): void => {
    applyTheme(chosen);
    setTheme(chosen);
  };
  return (
    <div className={styles.themes} role="group" aria-label="Colors">
      {THEMES.map((one) => {
        const Icon = ICONS[one];
        return (
          <button
            key={one}
            type="button"
            aria-pressed={theme === one}
            aria-label={LABELS[one]}
            title={LABELS[one]}
            className={classNames(styles.theme, theme === one && styles.chosen)}
            onClick={() => choose(one)}
          >
            <Icon size={14} aria-hidden />
          </button>
        );
      })}
    </div>
  );
}
