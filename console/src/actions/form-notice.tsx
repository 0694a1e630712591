import { Ignored } from '../shared/ignored.js';
import styles from './action-dialog.module.css';

interface FormNoticeProps {
  /** Parameters of the address that cannot be read. */
  readonly ignored: readonly string[];
  readonly isTooLong: boolean;
}

/** Says what of a form its address does not hold. */
export function FormNotice({ ignored, isTooLong }: FormNoticeProps) {
  return (
    <>
      {ignored.map((parameter) => (
        <Ignored key={parameter} what={parameter}>
          which this form cannot read
        </Ignored>
      ))}
      {isTooLong && (
        <p role="status" className={styles.note}>
          This form is too long for a link: the address opens it without what you typed.
        </p>
      )}
    </>
  );
}
