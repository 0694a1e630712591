import styles from './act-dialog.module.css';

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
        <p key={parameter} role="status" className={styles.note}>
          The address has <code>{parameter}</code>, which this form cannot read: it is ignored.
        </p>
      ))}
      {isTooLong && (
        <p role="status" className={styles.note}>
          This form is too long for a link: the address opens it without what you typed.
        </p>
      )}
    </>
  );
}
