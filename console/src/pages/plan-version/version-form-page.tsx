import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { ApiError } from '../../../../clients/typescript/src/errors.js';
import type { Plan } from '../../../../clients/typescript/src/index.js';
import { useWrongField } from '../../shared/use-wrong-field.js';
import { READ_ONLY } from '../../actions/action-button.js';
import { FormNotice } from '../../actions/form-notice.js';
import { useFormValues } from '../../actions/use-form-values.js';
import { recount } from '../../api/client.js';
import { sessionQuery } from '../../api/session.js';
import { Button } from '../../shared/button.js';
import { Field, Options, SelectInput, TextInput } from '../../shared/field.js';
import { Page } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import { QueryView } from '../../shared/query-view.js';
import { isNotFound, ResourceNotFound } from '../../shared/resource-not-found.js';
import { versionName } from '../plans/version-name.js';
import { AdjustmentFields } from './adjustment-fields.js';
import { bodyOf, draftOf, type VersionDraft } from './version-draft.js';
import { MAKE_ACTIVE } from './version-choices.js';
import { VersionFields } from './version-fields.js';
import { versionLabel } from './version-labels.js';
import { VERSION } from './version-shape.js';
import styles from './version-form.module.css';

const route = getRouteApi('/plans/$planId/versions/new');

/** Form for a version of a plan. It begins as a copy of the version in the address. */
export function VersionFormPage() {
  const { planId } = route.useParams();
  const { from } = route.useSearch();
  const plan = useQuery({
    queryKey: ['plans', 'one', planId],
    queryFn: ({ signal }) => recount.getPlan(planId, { signal }),
  });
  const trail = (
    <>
      <Link to="/plans">Plans</Link> /{' '}
      <Link to="/plans/$planId" params={{ planId }}>
        {plan.data?.plan_name ?? planId}
      </Link>
    </>
  );
  if (isNotFound(plan.error)) return <ResourceNotFound kind="plan" id={planId} trail={trail} />;
  return (
    <Page title="New version" trail={trail}>
      <QueryView query={plan}>{(data) => <VersionForm plan={data} from={from} />}</QueryView>
    </Page>
  );
}

interface VersionFormProps {
  readonly plan: Plan;
  /** Id of the version to begin with; undefined: the displayed version. */
  readonly from: string | undefined;
}

function VersionForm({ plan, from }: VersionFormProps) {
  const named = plan.versions.find(({ version_id: id }) => id === from);
  const origin = named ?? plan.display_version;
  const [beginning] = useState(() => draftOf(origin));
  const form = useFormValues({ shape: VERSION, beginning });
  const draft = form.values;
  const [key, setKey] = useState(() => crypto.randomUUID());
  const { data: session } = useQuery(sessionQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const make = useMutation({
    mutationFn: () => recount.createPlanVersion(bodyOf(plan.plan_id, draft), { idempotencyKey: key }),
    onSuccess: async ({ version_id: version }) => {
      await queryClient.invalidateQueries({ queryKey: ['plans'] });
      await navigate({ to: '/plans/$planId', params: { planId: plan.plan_id }, search: { version } });
    },
  });
  const change = (part: Partial<VersionDraft>): void => {
    form.change(part);
    // A second request with the same values creates nothing.
    setKey(crypto.randomUUID());
  };
  const changeRows = (part: Partial<VersionDraft>): void => {
    make.reset();
    change(part);
  };
  const errors = make.error instanceof ApiError ? make.error.validationErrors : [];
  const errorAt = (path: string): string | undefined => errors.find(({ attr }) => attr === path)?.detail;
  const wrongField = useWrongField(make.error);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    make.mutate();
  };
  const { currency, kept } = draft;
  return (
    <form ref={wrongField} className={styles.form} onSubmit={submit}>
      <p className={styles.note}>
        {from !== undefined && !named && `The plan has no version ${from}. `}
        Starts as a copy of {versionName(origin)}. The prices of a version never change once it is created.
        {kept.day_anchor !== null && ` Kept: billing periods start on day ${kept.day_anchor} of the month.`}
        {kept.month_anchor !== null && ` Kept: billing periods count from month ${kept.month_anchor}.`}
      </p>
      <FormNotice {...form.notice} />
      <div className={styles.fields}>
        <Field label="Currency" error={errorAt('currency_code')}>
          <TextInput value={currency} onChange={({ target }) => change({ currency: target.value })} />
        </Field>
        <Field label="Name" hint="Optional. Shown to customers." error={errorAt('localized_name')}>
          <TextInput value={draft.name} onChange={({ target }) => change({ name: target.value })} />
        </Field>
        <Field
          label="Only for customers"
          hint="Customer ids, separated by commas. Leave empty for everyone."
          error={errors.find(({ attr }) => attr.startsWith('target_customer_ids'))?.detail}
        >
          <TextInput value={draft.customers} onChange={({ target }) => change({ customers: target.value })} />
        </Field>
        <div className={styles.long}>
          <Field
            label="On sale"
            hint="Takes every other public version in its currency off sale."
            error={errorAt('make_active')}
          >
            <SelectInput
              value={draft.makeActive}
              onChange={({ target }) => change({ makeActive: target.value as VersionDraft['makeActive'] })}
            >
              <Options of={MAKE_ACTIVE} />
            </SelectInput>
          </Field>
        </div>
      </div>
      <AdjustmentFields draft={draft} errorAt={errorAt} onChange={change} />
      <VersionFields draft={draft} errorAt={errorAt} onChange={change} onRows={changeRows} />
      {make.error && <Problem error={make.error} labelOf={versionLabel} />}
      <div className={styles.buttons}>
        <Button type="submit" look="primary" isBusy={make.isPending} disabled={session?.scope === 'read'}>
          Create version
        </Button>
        {session?.scope === 'read' && <span className={styles.note}>{READ_ONLY}</span>}
      </div>
    </form>
  );
}
