import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classNames } from './class-names.js';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return <span className={classNames(styles.badge, styles[tone])}>{children}</span>;
}
