import { CircleAlert } from 'lucide-react';
import { ApiError, ConnectionError } from '../../../clients/typescript/src/errors.js';
import { Button } from './button.js';
import styles from './problem.module.css';

/** Says what to change in the input. */
export class FormError extends Error {
  /** @param attr path of the field in the API, where the error is of one */
  constructor(
    message: string,
    readonly attr?: string,
  ) {
    super(message);
  }
}

/** Returns what is wrong with a field, by its path in the API or that of a part of it. */
export function errorOfField(error: unknown, name: string): string | undefined {
  const errors =
    error instanceof ApiError
      ? error.validationErrors
      : error instanceof FormError
        ? [{ attr: error.attr, detail: error.message }]
        : [];
  return errors.find(({ attr }) => attr === name || attr?.startsWith(`${name}.`))?.detail;
}

interface ProblemProps {
  readonly error: unknown;
  /** Tries again; undefined when a retry is useless. */
  readonly retry?: (() => void) | undefined;
  readonly isRetrying?: boolean;
  /** Names the field of an error as its form does; undefined: by its path in the API. */
  readonly labelOf?: (attr: string) => string;
}

const isOfSession = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/**
 * Shows an error in the service's words, with the id under which it is logged. A refused session is none: the login over
 * the page says so, and nothing of it remains afterwards.
 */
export function Problem({ error, retry, isRetrying = false, labelOf }: ProblemProps) {
  if (isOfSession(error)) return null;
  const { title, detail, requestId } = describeError(error, labelOf);
  return (
    <div className={styles.problem} role="alert">
      <CircleAlert size={16} aria-hidden className={styles.icon} />
      <div className={styles.text}>
        <strong>{title}</strong>
        {detail !== undefined && <p>{detail}</p>}
        {requestId !== undefined && (
          <p className={styles.id}>
            Request <code>{requestId}</code>
          </p>
        )}
      </div>
      {retry && (
        <Button onClick={retry} isBusy={isRetrying}>
          Try again
        </Button>
      )}
    </div>
  );
}

interface Description {
  readonly title: string;
  readonly detail?: string | undefined;
  readonly requestId?: string | undefined;
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'The service refused this',
  401: 'Your session has ended',
  403: 'Your API key may not do this',
  404: 'Not found',
  409: 'Something changed at the same moment',
  412: 'Somebody changed this in the meantime',
  429: 'Too many requests',
  503: 'The service is not available',
};

export function describeError(error: unknown, labelOf?: ProblemProps['labelOf']): Description {
  if (error instanceof ApiError) {
    const title = TITLES[error.status] ?? 'The service failed';
    const fields = error.validationErrors.map(({ attr, detail }) =>
      attr === 'non_field_errors' ? detail : `${labelOf?.(attr) ?? attr}: ${detail}`,
    );
    const detail = fields.length > (labelOf ? 0 : 1) ? fields.join(' ') : error.detail;
    return { title, detail, requestId: error.status >= 500 ? error.requestId : undefined };
  }
  if (error instanceof ConnectionError) {
    return { title: 'No answer from the service', detail: 'Check your connection, then try again.' };
  }
  if (error instanceof FormError) return { title: 'Check what you typed', detail: error.message };
  return {
    title: 'This page failed',
    detail: error instanceof Error ? error.message : String(error),
  };
}
