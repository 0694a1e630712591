import { Dialog } from '@base-ui/react/dialog';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import { sessionQuery } from '../api/session.js';
import { Button } from '../shared/button.js';
import { useKnownAction } from '../shared/unknown-action.js';
import styles from './action-dialog.module.css';
import { withoutForm } from './form-search.js';

export interface DialogProps {
  /** Notes that something changed; pages read it when the dialog closes. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

interface ActionButtonProps {
  /** Names the form in the address; undefined: its label does. */
  readonly name?: string | undefined;
  readonly label: string;
  /** Title of the form, with the name of the resource. */
  readonly title: string;
  readonly look?: 'plain' | 'danger' | 'primary' | undefined;
  /** Id of what is changed, where a page has the button several times. */
  readonly on?: string | undefined;
  /** Actions that a key of the write scope may not do. */
  readonly isForAdmins?: boolean;
  readonly children: (dialog: DialogProps) => ReactNode;
}

interface ActionSearch {
  readonly act?: string;
  readonly on?: string;
  readonly preview?: string | undefined;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry before this one has the page without its form. */
    readonly isFormOpenedHere?: boolean;
  }
}

/** Keeps in the address which form is open, such as `?act=switch-plan&on=sub_…`. */
function useOpenAction(act: string, on: string | undefined): readonly [boolean, (open: boolean) => void] {
  const search: ActionSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { history } = useRouter();
  const go = (isOpen: boolean): void =>
    void navigate({
      to: '.',
      search: (now: ActionSearch) => ({
        ...withoutForm(now),
        preview: undefined,
        act: isOpen ? act : undefined,
        on: isOpen ? on : undefined,
      }),
      state: { isFormOpenedHere: isOpen },
      replace: !isOpen,
      resetScroll: false,
    });
  const toggle = (isOpen: boolean): void => {
    if (isOpen || !history.location.state.isFormOpenedHere) go(isOpen);
    else history.back();
  };
  return [search.act === act && search.on === on, toggle];
}

const nameOf = (label: string): string => label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

export const READ_ONLY = 'Your API key is read-only. Log in with a key of the write scope.';
const ADMIN_ONLY = 'This needs a key of the admin scope. Log in with one.';

/** Button that opens a form in a dialog. The address says which one is open. */
export function ActionButton({
  label,
  name = nameOf(label),
  title,
  look = 'plain',
  on,
  isForAdmins = false,
  children,
}: ActionButtonProps) {
  const { data: session } = useQuery(sessionQuery);
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useOpenAction(name, on);
  const hasChanged = useRef(false);
  useKnownAction(name);
  // Refreshes after the dialog closes: an action may end the resource, and the page would remove the form with
  // it.
  const toggle = (open: boolean): void => {
    // The login covers the form: a press there is not meant for the form.
    if (session === null) return;
    setOpen(open);
    if (open || !hasChanged.current) return;
    hasChanged.current = false;
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  };
  const refusal =
    session?.scope === 'read'
      ? READ_ONLY
      : isForAdmins && session?.scope === 'write'
        ? ADMIN_ONLY
        : undefined;
  if (refusal !== undefined) {
    return (
      <span className={styles.refused} title={refusal}>
        <Button disabled aria-description={refusal}>
          {label}
        </Button>
      </span>
    );
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={toggle}>
      <Dialog.Trigger render={<Button look={look} />}>{label}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title className={styles.title}>{title}</Dialog.Title>
          {children({ onChanged: () => (hasChanged.current = true), onClose: () => toggle(false) })}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
