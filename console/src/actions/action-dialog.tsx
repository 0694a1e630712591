import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode, type SyntheticEvent } from 'react';
import type { Credit, Invoice } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { customerQuery } from '../api/customer.js';
import { Amount } from '../shared/amount.js';
import { errorOfField, Problem } from '../shared/problem.js';
import { readPage } from '../shared/use-list.js';
import { useWrongField } from '../shared/use-wrong-field.js';
import { ActionButton, type DialogProps } from './action-button.js';
import styles from './action-dialog.module.css';
import { FormButtons, FormDone, PreviewStatus } from './form-fields.js';
import { FormNotice } from './form-notice.js';
import type { FormShape } from './form-search.js';
import type { ActionPreview } from './action-preview.js';
import { PreviewView } from './preview-view.js';
import { useFormValues } from './use-form-values.js';

interface ActionOptions {
  /** A second press with the same values changes nothing. */
  readonly idempotencyKey: string;
  readonly requestId: string;
}

export interface ActionDialogProps<Values extends object> {
  /** Id of what is changed, where a page has the button several times. */
  readonly on?: string;
  /** Names the form in the address; undefined: its label does. */
  readonly name?: string;
  /** Label of the button that opens the form, and of the one that executes. */
  readonly label: string;
  /** Title of the form, with the name of the resource. */
  readonly title: string;
  readonly look?: 'plain' | 'danger';
  readonly customerId: string;
  readonly initial: Values;
  /** Values of today, which an address has once something is typed. */
  readonly suggested?: Partial<Values>;
  /** Readers of the values of an address. */
  readonly shape: FormShape<Values>;
  readonly fields?: (
    values: Values,
    change: (part: Partial<Values>) => void,
    errorOf: (attr: string) => string | undefined,
  ) => ReactNode;
  /** Paths in the API of the fields that show their errors. */
  readonly checked?: readonly string[];
  /** Reads the preview of the action, without changing anything. */
  readonly preview: (values: Values) => Promise<ActionPreview>;
  readonly execute: (values: Values, options: ActionOptions) => Promise<unknown>;
  /** Text shown while a long action is under way. */
  readonly progress?: (requestId: string) => ReactNode;
  /** Sentence in the past tense. */
  readonly done: string;
}

/** Button that opens a form: first the preview of the action, then the action. */
export const ActionDialog = <Values extends object>(props: ActionDialogProps<Values>) => (
  <ActionButton name={props.name} label={props.label} title={props.title} look={props.look} on={props.on}>
    {(dialog) => <PreviewThenExecute {...props} {...dialog} />}
  </ActionButton>
);

interface Prepared<Values> {
  readonly values: Values;
  readonly preview: ActionPreview;
  readonly options: ActionOptions;
  readonly before: Documents;
}

/** Newest invoices and credits of a customer. */
interface Documents {
  readonly invoices: readonly Invoice[];
  readonly credits: readonly Credit[];
}

function PreviewThenExecute<Values extends object>(props: ActionDialogProps<Values> & DialogProps) {
  const { customerId, fields, label, look, onChanged, onClose } = props;
  const form = useFormValues({
    shape: props.shape,
    beginning: props.initial,
    suggested: props.suggested,
  });
  const { values } = form;
  const { data: customer } = useQuery(customerQuery(customerId));
  const preparation = useMutation({
    mutationFn: async (asked: Values): Promise<Prepared<Values>> => {
      const [preview, before] = await Promise.all([props.preview(asked), newestOf(customerId)]);
      const options = { idempotencyKey: crypto.randomUUID(), requestId: crypto.randomUUID() };
      return { values: asked, preview, options, before };
    },
  });
  const execution = useMutation({
    mutationFn: async ({ values: asked, options, before }: Prepared<Values>) => {
      await props.execute(asked, options);
      onChanged();
      form.forget();
      return addedSince(before, await newestOf(customerId));
    },
  });
  const change = (part: Partial<Values>): void => {
    form.change(part);
    preparation.reset();
    execution.reset();
  };
  const show = (): void => {
    form.notePreview();
    preparation.mutate(values);
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (preparation.data) execution.mutate(preparation.data);
    else show();
  };
  useEffect(() => {
    if (form.wasPreviewed) preparation.mutate(values);
    // Once, as the form opens: a change takes the preview away.
  }, []);
  const error = execution.error ?? preparation.error;
  const wrongField = useWrongField(error);
  if (execution.data) return <Done sentence={props.done} added={execution.data} onClose={onClose} />;
  const errorOf = (attr: string): string | undefined => errorOfField(error, attr);
  const isAtField = props.checked?.some((attr) => errorOf(attr) !== undefined) ?? false;
  return (
    <form ref={wrongField} className={styles.form} onSubmit={submit}>
      <FormNotice {...form.notice} />
      {fields?.(values, change, errorOf)}
      <PreviewStatus isShown={preparation.data !== undefined} />
      {preparation.data && (
        <PreviewView preview={preparation.data.preview} zone={customer?.timezone ?? 'UTC'} />
      )}
      {preparation.data && !preparation.data.preview.invoices && (
        <p className={styles.note}>
          An invoice of this action cannot be previewed; it is shown here afterwards.
        </p>
      )}
      {execution.isPending && preparation.data && props.progress?.(preparation.data.options.requestId)}
      {error && !isAtField && <Problem error={error} />}
      <FormButtons
        label={preparation.data ? label : 'Preview'}
        look={preparation.data && look === 'danger' ? 'danger' : 'primary'}
        isBusy={preparation.data ? execution.isPending : preparation.isPending}
        onClose={onClose}
      />
    </form>
  );
}

async function newestOf(customerId: string): Promise<Documents> {
  const newest = { customer_id: customerId, limit: 50 };
  const [invoices, credits] = await Promise.all([
    readPage(recount.listInvoices(newest)),
    readPage(recount.listCredits(newest)),
  ]);
  return { invoices: invoices.items, credits: credits.items };
}

function addedSince(before: Documents, { invoices, credits }: Documents): Documents {
  const known = new Set([
    ...before.invoices.map(({ invoice_id: id }) => id),
    ...before.credits.map(({ credit_id: id }) => id),
  ]);
  return {
    invoices: invoices.filter(({ invoice_id: id }) => !known.has(id)),
    credits: credits.filter(({ credit_id: id }) => !known.has(id)),
  };
}

interface DoneProps {
  readonly sentence: string;
  readonly added: Documents;
  readonly onClose: () => void;
}

const Done = ({ sentence, added: { invoices, credits }, onClose }: DoneProps) => (
  <FormDone onClose={onClose}>
    <p>
      {sentence} {invoices.length === 0 && 'No invoice was issued.'}
    </p>
    {invoices.map(({ invoice_id: id, invoice_number: number, amount, currency }) => (
      <p key={id}>
        Invoice <strong>{number}</strong> over <Amount value={amount} currency={currency.code} />
      </p>
    ))}
    {credits.map(({ credit_id: id, amount, currency }) => (
      <p key={id}>
        Credit of <Amount value={amount} currency={currency.code} />
      </p>
    ))}
  </FormDone>
);
