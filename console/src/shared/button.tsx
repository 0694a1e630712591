import type { ComponentProps, MouseEvent } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.js';

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** The action is under way: the button does nothing and says so, and keeps the focus, which a disabled one would lose. */
  readonly isBusy?: boolean;
}

/** Look of a button, for a link. */
export const buttonClass = (look: NonNullable<ButtonProps['look']>): string =>
  classNames(styles.button, styles[look]);

export function Button({
  look = 'plain',
  isBusy = false,
  className,
  children,
  onClick,
  'aria-disabled': isIdle = false,
  ...rest
}: ButtonProps) {
  const isOff = isBusy || isIdle === true;
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    // A press of the button, or of Enter in a field, would send the form.
    if (isOff) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles.button, styles[look], className)}
      onClick={press}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy}
    >
      {isBusy && <span className={styles.spinner} aria-hidden />}
      {children}
    </button>
  );
}
