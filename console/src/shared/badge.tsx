import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classNames } from './class-names.js';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

interface BadgeProps {
  readonly tone?: Tone;
  /** Has a name, which may be long and so wraps. */
  readonly isName?: boolean;
  readonly children: ReactNode;
}

export function Badge({ tone = 'neutral', isName = false, children }: BadgeProps) {
  return <span className={classNames(styles.badge, styles[tone], isName && styles.name)}>{children}</span>;
}
