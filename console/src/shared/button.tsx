import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.js';

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** The act is under way: the button is disabled and says so. */
  readonly isBusy?: boolean;
}

/** Look of a button, for a link. */
export const buttonClass = (look: NonNullable<ButtonProps['look']>): string =>
  classNames(styles.button, styles[look]);

export function Button({
  look = 'plain',
  isBusy = false,
  className,
  disabled,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles.button, styles[look], className)}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy}
    >
      {isBusy && <span className={styles.spinner} aria-hidden />}
      {children}
    </button>
  );
}
