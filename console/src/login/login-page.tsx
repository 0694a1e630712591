import { useMutation } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState, type SyntheticEvent } from 'react';
import { createPortal } from 'react-dom';
import { logIn } from '../api/session.js';
import { Button } from '../shared/button.js';
import { Field, TextInput } from '../shared/field.js';
import { describeError } from '../shared/problem.js';
import styles from './login-page.module.css';

export const LoginPage = () => (
  <main className={styles.screen}>
    <LoginForm isAgain={false} />
  </main>
);

/** Covers everything, including an open form, whose fields stay. It closes after a login. */
export function LoginOverPage() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    // Returns the focus to the element before.
    return () => element.close();
  }, []);
  const stay = (event: { preventDefault(): void }): void => event.preventDefault();
  return createPortal(
    <dialog
      ref={dialog}
      className={styles.over}
      aria-label="Log in again"
      onCancel={stay}
      onKeyDown={(event) => event.key === 'Escape' && stay(event)}
    >
      <LoginForm isAgain />
    </dialog>,
    document.body,
  );
}

function LoginForm({ isAgain }: { readonly isAgain: boolean }) {
  const [key, setKey] = useState('');
  const login = useMutation({ mutationFn: logIn, networkMode: 'always' });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    login.mutate(key.trim());
  };
  const error = login.error ? describeError(login.error) : undefined;
  return (
    <form className={styles.form} onSubmit={submit}>
      <img src="/console/icon.svg" alt="" width={32} height={32} />
      <h1>{isAgain ? 'Your session has ended' : 'Log in to Recount'}</h1>
      <p className={styles.lead}>
        {isAgain
          ? 'Log in again; the page is kept as it was.'
          : 'Use an API key of your organization. A key of the read scope can see everything and change nothing.'}
      </p>
      <Field
        label="API key"
        error={error && (error.detail ?? error.title)}
        hint="The key is exchanged for a session of 12 hours. This browser does not store it."
      >
        <TextInput
          type="password"
          name="api-key"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
          value={key}
          onChange={({ target }) => setKey(target.value)}
        />
      </Field>
      <Button type="submit" look="primary" isBusy={login.isPending}>
        Log in
      </Button>
    </form>
  );
}
