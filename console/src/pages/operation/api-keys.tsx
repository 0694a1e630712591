import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import type { ApiKey } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { sessionQuery } from '../../api/session.js';
import { Badge } from '../../shared/badge.js';
import { Button } from '../../shared/button.js';
import type { Column } from '../../shared/data-table.js';
import { WholeTable } from '../../shared/whole-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Field, SelectInput, TextInput } from '../../shared/field.js';
import { Instant } from '../../shared/instant.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import styles from './operation.module.css';

const KEYS = ['api-keys'];

export function ApiKeys() {
  const keys = useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => recount.listApiKeys({ limit: 1000 }, { signal }).all(),
  });
  const columns: readonly Column<ApiKey>[] = [
    { id: 'name', header: 'Name', cell: ({ name }) => name, value: ({ name }) => name },
    {
      id: 'prefix',
      header: 'Prefix',
      cell: ({ prefix }) => <code>{prefix}</code>,
      value: ({ prefix }) => prefix,
      isMinor: true,
    },
    {
      id: 'scope',
      header: 'Scope',
      cell: ({ scope }) => <Badge>{scope}</Badge>,
      value: ({ scope }) => scope,
    },
    {
      id: 'created',
      header: 'Created',
      zone: 'UTC',
      cell: ({ created_at: at }) => <Instant at={at} />,
      value: ({ created_at: at }) => at,
      isMinor: true,
    },
    {
      id: 'revoked',
      header: 'Revoked',
      zone: 'UTC',
      cell: (key) =>
        key.revoked_at === null ? <RevokeButton apiKey={key} /> : <Instant at={key.revoked_at} />,
      value: ({ revoked_at: at }) => at,
    },
  ];
  return (
    <Section title="API keys">
      {keys.error && <Problem error={keys.error} retry={() => void keys.refetch()} />}
      <WholeTable
        file="api-keys"
        label="API keys of the organization"
        columns={columns}
        rows={keys.data}
        rowKey={({ prefix }) => prefix}
        empty={<EmptyState title="No keys" />}
      />
      <CreateKey />
    </Section>
  );
}

/**
 * Asks for confirmation before the key is revoked for ever. "Keep" takes the place of the button, so that a double-click
 * confirms nothing.
 */
function RevokeButton({ apiKey: { prefix, name } }: { readonly apiKey: ApiKey }) {
  const [isAsked, setAsked] = useState(false);
  const { data: session } = useQuery(sessionQuery);
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => recount.revokeApiKey(prefix),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: KEYS }),
  });
  if (revoke.error) return <Problem error={revoke.error} retry={() => revoke.mutate()} />;
  return (
    <div className={styles.confirmation}>
      <Button
        look={isAsked ? 'plain' : 'danger'}
        onClick={() => setAsked(!isAsked)}
        aria-label={isAsked ? `Keep ${name}` : `Revoke ${name}`}
      >
        {isAsked ? 'Keep' : 'Revoke'}
      </Button>
      {isAsked && (
        <>
          <Button
            look="danger"
            isBusy={revoke.isPending}
            onClick={() => revoke.mutate()}
            aria-label={`Revoke ${name} permanently`}
          >
            Revoke permanently
          </Button>
          {session?.key_prefix === prefix && (
            <span role="status">You are logged in with this key. Revoking it ends this session.</span>
          )}
        </>
      )}
    </div>
  );
}

type Scope = ApiKey['scope'];

function CreateKey() {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('read');
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: () => recount.createApiKey({ name, scope }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: KEYS }),
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field label="Name of the new key">
        <TextInput required value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field label="Scope">
        <SelectInput value={scope} onChange={({ target }) => setScope(target.value as Scope)}>
          <option value="ingest">ingest</option>
          <option value="read">read</option>
          <option value="write">write</option>
          <option value="admin">admin</option>
        </SelectInput>
      </Field>
      <Button type="submit" look="primary" isBusy={create.isPending}>
        Create key
      </Button>
      {create.error && <Problem error={create.error} />}
      {create.data && (
        <p role="status" className={styles.secret}>
          Copy this key now, it is not shown again: <code>{create.data.key}</code>
        </p>
      )}
    </form>
  );
}
