import { useMutation, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState, type SyntheticEvent } from 'react';
import { createPortal } from 'react-dom';
import { logIn, otherSessionQuery, startAnew } from '../api/session.js';
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

interface Welcome {
  readonly title: string;
  readonly lead: string;
}

const FIRST: Welcome = {
  title: 'Log in to Recount',
  lead: 'Use an API key of your organization. A key of the read scope can see everything and change nothing.',
};

const AGAIN: Welcome = {
  title: 'Your session has ended',
  lead: 'Log in again; the page is kept as it was.',
};

const replacedBy = (keyName: string): Welcome => ({
  title: 'Another API key has logged in',
  lead: `Another tab of this browser has logged in with the key ${keyName}. This page was opened with a different key, so the service refuses what it sends. Log in again to go on here, or continue with the other key, without what you typed.`,
});

function LoginForm({ isAgain }: { readonly isAgain: boolean }) {
  const [key, setKey] = useState('');
  const login = useMutation({ mutationFn: logIn, networkMode: 'always' });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    login.mutate(key.trim());
  };
  const { data: other } = useQuery(otherSessionQuery);
  const replacing = isAgain ? other : undefined;
  const { title, lead } = replacing ? replacedBy(replacing.key_name) : isAgain ? AGAIN : FIRST;
  const error = login.error ? describeError(login.error) : undefined;
  return (
    <form className={styles.form} onSubmit={submit}>
      <img src="/console/icon.svg" alt="" width={32} height={32} />
      <h1>{title}</h1>
      <p className={styles.lead}>{lead}</p>
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
      {replacing && <Button onClick={startAnew}>Continue with the other key</Button>}
    </form>
  );
}
