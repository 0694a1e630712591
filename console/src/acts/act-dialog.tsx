import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode, type SyntheticEvent } from 'react';
import type { Credit, Invoice } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { customerQuery } from '../api/customer.js';
import { Amount } from '../shared/amount.js';
import { errorOfField, Problem } from '../shared/problem.js';
import { readPage } from '../shared/use-list.js';
import { useWrongField } from '../shared/use-wrong-field.js';
import { ActButton, type DialogProps } from './act-button.js';
import styles from './act-dialog.module.css';
import { FormButtons, FormDone, PreviewStatus } from './form-fields.js';
import { FormNotice } from './form-notice.js';
import type { FormShape } from './form-search.js';
import type { Outlook } from './outlook.js';
import { OutlookView } from './outlook-view.js';
import { useFormValues } from './use-form-values.js';

interface ActOptions {
  /** A second press with the same values changes nothing. */
  readonly idempotencyKey: string;
  readonly requestId: string;
}

export interface ActProps<Values extends object> {
  /** Id of what is acted on, where a page has the button several times. */
  readonly on?: string;
  /** Names the form in the address; undefined: its label does. */
  readonly name?: string;
  /** Label of the button that opens the form, and of the one that acts. */
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
  /** Reads the preview of the act, without changing anything. */
  readonly preview: (values: Values) => Promise<Outlook>;
  readonly act: (values: Values, options: ActOptions) => Promise<unknown>;
  /** Text shown while a long act is under way. */
  readonly progress?: (requestId: string) => ReactNode;
  /** Sentence in the past tense. */
  readonly done: string;
}

/** Button that opens a form: first the preview of the act, then the act. */
export const Act = <Values extends object>(props: ActProps<Values>) => (
  <ActButton name={props.name} label={props.label} title={props.title} look={props.look} on={props.on}>
    {(dialog) => <PreviewThenAct {...props} {...dialog} />}
  </ActButton>
);

interface Prepared<Values> {
  readonly values: Values;
  readonly outlook: Outlook;
  readonly options: ActOptions;
  readonly before: Documents;
}

/** Newest invoices and credits of a customer. */
interface Documents {
  readonly invoices: readonly Invoice[];
  readonly credits: readonly Credit[];
}

function PreviewThenAct<Values extends object>(props: ActProps<Values> & DialogProps) {
  const { customerId, fields, label, look, onActed, onClose } = props;
  const form = useFormValues({
    shape: props.shape,
    beginning: props.initial,
    suggested: props.suggested,
  });
  const { values } = form;
  const { data: customer } = useQuery(customerQuery(customerId));
  const preview = useMutation({
    mutationFn: async (asked: Values): Promise<Prepared<Values>> => {
      const [outlook, before] = await Promise.all([props.preview(asked), newestOf(customerId)]);
      const options = { idempotencyKey: crypto.randomUUID(), requestId: crypto.randomUUID() };
      return { values: asked, outlook, options, before };
    },
  });
  const act = useMutation({
    mutationFn: async ({ values: asked, options, before }: Prepared<Values>) => {
      await props.act(asked, options);
      onActed();
      form.forget();
      return addedSince(before, await newestOf(customerId));
    },
  });
  const change = (part: Partial<Values>): void => {
    form.change(part);
    preview.reset();
    act.reset();
  };
  const show = (): void => {
    form.notePreview();
    preview.mutate(values);
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (preview.data) act.mutate(preview.data);
    else show();
  };
  useEffect(() => {
    if (form.wasPreviewed) preview.mutate(values);
    // Once, as the form opens: a change takes the preview away.
  }, []);
  const error = act.error ?? preview.error;
  const wrongField = useWrongField(error);
  if (act.data) return <Done sentence={props.done} added={act.data} onClose={onClose} />;
  const errorOf = (attr: string): string | undefined => errorOfField(error, attr);
  const isAtField = props.checked?.some((attr) => errorOf(attr) !== undefined) ?? false;
  return (
    <form ref={wrongField} className={styles.form} onSubmit={submit}>
      <FormNotice {...form.notice} />
      {fields?.(values, change, errorOf)}
      <PreviewStatus isShown={preview.data !== undefined} />
      {preview.data && <OutlookView outlook={preview.data.outlook} zone={customer?.timezone ?? 'UTC'} />}
      {preview.data && !preview.data.outlook.invoices && (
        <p className={styles.note}>
          An invoice of this action cannot be previewed; it is shown here afterwards.
        </p>
      )}
      {act.isPending && preview.data && props.progress?.(preview.data.options.requestId)}
      {error && !isAtField && <Problem error={error} />}
      <FormButtons
        label={preview.data ? label : 'Preview'}
        look={preview.data && look === 'danger' ? 'danger' : 'primary'}
        isBusy={preview.data ? act.isPending : preview.isPending}
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
