import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { ApiError } from '../../../../clients/typescript/src/errors.js';
import { useWrongField } from '../../shared/use-wrong-field.js';
import { READ_ONLY } from '../../actions/action-button.js';
import { FormNotice } from '../../actions/form-notice.js';
import { useFormValues } from '../../actions/use-form-values.js';
import { recount } from '../../api/client.js';
import { organizationQuery } from '../../api/organization.js';
import { sessionQuery } from '../../api/session.js';
import { Button } from '../../shared/button.js';
import { Field, Options, SelectInput, TextInput } from '../../shared/field.js';
import { Page } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import { QueryView } from '../../shared/query-view.js';
import { DURATIONS } from './version-choices.js';
import { firstPlan, versionBody, type PlanDraft } from './version-draft.js';
import { VersionFields } from './version-fields.js';
import { versionLabel } from './version-labels.js';
import { PLAN } from './version-shape.js';
import styles from './version-form.module.css';

/** Form for a plan with its first version. */
export function PlanFormPage() {
  const organization = useQuery(organizationQuery);
  return (
    <Page title="New plan" trail={<Link to="/plans">Plans</Link>}>
      <QueryView query={organization}>
        {({ default_currency_code: currency }) => <PlanForm currency={currency ?? ''} />}
      </QueryView>
    </Page>
  );
}

function PlanForm({ currency }: { readonly currency: string }) {
  const [beginning] = useState(() => firstPlan(currency));
  const form = useFormValues({ shape: PLAN, beginning });
  const draft = form.values;
  const [key, setKey] = useState(() => crypto.randomUUID());
  const { data: session } = useQuery(sessionQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const make = useMutation({
    mutationFn: () =>
      recount.createPlan(
        {
          plan_name: draft.planName,
          plan_duration: draft.duration,
          ...(draft.description === '' ? {} : { plan_description: draft.description }),
          initial_version: versionBody(draft),
        },
        { idempotencyKey: key },
      ),
    onSuccess: async ({ plan_id: planId }) => {
      await queryClient.invalidateQueries({ queryKey: ['plans'] });
      await navigate({ to: '/plans/$planId', params: { planId } });
    },
  });
  const change = (part: Partial<PlanDraft>): void => {
    form.change(part);
    // A second request with the same values creates nothing.
    setKey(crypto.randomUUID());
  };
  const errors = make.error instanceof ApiError ? make.error.validationErrors : [];
  const errorAt = (path: string): string | undefined => errors.find(({ attr }) => attr === path)?.detail;
  const wrongField = useWrongField(make.error);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form ref={wrongField} className={styles.form} onSubmit={submit}>
      <FormNotice {...form.notice} />
      <div className={styles.fields}>
        <Field label="Name" error={errorAt('plan_name')}>
          <TextInput
            required
            value={draft.planName}
            onChange={({ target }) => change({ planName: target.value })}
          />
        </Field>
        <Field label="Period" error={errorAt('plan_duration')}>
          <SelectInput
            value={draft.duration}
            onChange={({ target }) => change({ duration: target.value as PlanDraft['duration'] })}
          >
            <Options of={DURATIONS} />
          </SelectInput>
        </Field>
        <Field label="Currency" error={errorAt('initial_version.currency_code')}>
          <TextInput
            required
            value={draft.currency}
            onChange={({ target }) => change({ currency: target.value })}
          />
        </Field>
        <Field label="Description" hint="Optional." error={errorAt('plan_description')}>
          <TextInput
            value={draft.description}
            onChange={({ target }) => change({ description: target.value })}
          />
        </Field>
      </div>
      <VersionFields
        draft={draft}
        errorAt={(path) => errorAt(`initial_version.${path}`)}
        onChange={change}
        onRows={(part) => {
          make.reset();
          change(part);
        }}
      />
      {make.error && <Problem error={make.error} labelOf={versionLabel} />}
      <div className={styles.buttons}>
        <Button type="submit" look="primary" isBusy={make.isPending} disabled={session?.scope === 'read'}>
          Create plan
        </Button>
        {session?.scope === 'read' && <span className={styles.note}>{READ_ONLY}</span>}
      </div>
    </form>
  );
}
