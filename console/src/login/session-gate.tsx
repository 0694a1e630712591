import { useQuery } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import { sessionQuery } from '../api/session.js';
import { Problem } from '../shared/problem.js';
import { LoginOverPage, LoginPage } from './login-page.js';
import styles from './login-page.module.css';

/**
 * Shows the page to a logged-in user. When a session ends, the page stays below the login form, so that typed
 * input is not lost.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { data: session, error, refetch, isFetching } = useQuery(sessionQuery);
  const wasOpen = useRef(false);
  if (session) wasOpen.current = true;
  if (error && session === undefined) {
    return (
      <main className={styles.screen}>
        <Problem error={error} retry={() => void refetch()} isRetrying={isFetching} />
      </main>
    );
  }
  if (session === undefined) return null;
  return (
    <>
      {wasOpen.current && children}
      {session === null && (wasOpen.current ? <LoginOverPage /> : <LoginPage />)}
    </>
  );
}
