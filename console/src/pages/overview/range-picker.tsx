import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { Button } from '../../shared/button.js';
import { Field, Options, SelectInput, TextInput } from '../../shared/field.js';
import styles from './overview-page.module.css';
import { faultOf, rangeNameOf, RANGES } from './range.js';

/** Picker of the time that the charts show. The address holds it. */
export function RangePicker() {
  const search = useSearch({ from: '/' });
  const { from, to } = search;
  const range = rangeNameOf(search);
  const navigate = useNavigate();
  const choose = (chosen: string): void =>
    void navigate({
      to: '/',
      search: (now) => ({ ...now, range: chosen || undefined, from: undefined, to: undefined }),
      resetScroll: false,
    });
  return (
    <>
      <Field label="Range">
        <SelectInput value={range in RANGES ? range : ''} onChange={({ target }) => choose(target.value)}>
          <Options of={RANGES} />
        </SelectInput>
      </Field>
      {range === 'own' && <OwnDates key={`${from} ${to}`} from={from ?? ''} to={to ?? ''} />}
    </>
  );
}

interface OwnDatesProps {
  readonly from: string;
  readonly to: string;
}

function OwnDates(given: OwnDatesProps) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(given);
  const isBlank = given.from === '' && given.to === '';
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void navigate({
      to: '/',
      search: (now) => ({ ...now, from: typed.from || undefined, to: typed.to || undefined }),
      resetScroll: false,
    });
  };
  return (
    <form className={styles.dates} onSubmit={submit}>
      <Field label="From">
        <TextInput
          type="date"
          required
          value={typed.from}
          onChange={({ target }) => setTyped((now) => ({ ...now, from: target.value }))}
        />
      </Field>
      <Field label="Until" error={isBlank ? undefined : faultOf({ range: 'own', ...given })}>
        <TextInput
          type="date"
          required
          value={typed.to}
          onChange={({ target }) => setTyped((now) => ({ ...now, to: target.value }))}
        />
      </Field>
      <Button type="submit">Show</Button>
    </form>
  );
}
