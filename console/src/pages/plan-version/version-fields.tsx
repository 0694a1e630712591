import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { recount } from '../../api/client.js';
import { Button } from '../../shared/button.js';
import { CheckList } from '../../shared/check-list.js';
import { Section } from '../../shared/page.js';
import { ChargesFieldset } from './charges-fieldset.js';
import { ComponentFieldset } from './component-fieldset.js';
import { NEW_COMPONENT, type VersionDraft } from './version-draft.js';
import styles from './version-form.module.css';

interface VersionFieldsProps {
  readonly draft: VersionDraft;
  readonly errorAt: (path: string) => string | undefined;
  readonly onChange: (part: Partial<VersionDraft>) => void;
  /** Takes a change that moves rows, and with them their errors. */
  readonly onRows: (part: Partial<VersionDraft>) => void;
}

/** Charges, usage prices and features of a version. */
export function VersionFields({ draft, errorAt, onChange, onRows }: VersionFieldsProps) {
  const { charges, components, currency, features } = draft;
  return (
    <>
      <Section title="Recurring charges">
        <ChargesFieldset
          charges={charges}
          currency={currency}
          errorAt={(path) => errorAt(`recurring_charges.${path}`)}
          onChange={(changed) => onChange({ charges: changed })}
          onRows={(changed) => onRows({ charges: changed })}
        />
      </Section>
      <Section title="Usage prices">
        {components.map((component, index) => (
          <ComponentFieldset
            key={index}
            component={component}
            currency={currency}
            errorAt={(path) => errorAt(`components.${index}.${path}`)}
            onChange={(changed) => onChange({ components: components.with(index, changed) })}
            onRows={(changed) => onRows({ components: components.with(index, changed) })}
            onRemove={() => onRows({ components: components.toSpliced(index, 1) })}
          />
        ))}
        <Button className={styles.add} onClick={() => onRows({ components: [...components, NEW_COMPONENT] })}>
          <Plus size={14} aria-hidden /> Add usage price
        </Button>
      </Section>
      <Features granted={features} onChange={(changed) => onChange({ features: changed })} />
    </>
  );
}

interface FeaturesProps {
  readonly granted: readonly string[];
  readonly onChange: (granted: readonly string[]) => void;
}

/** Boxes for the features of the organization; nothing where there are none. */
function Features({ granted, onChange }: FeaturesProps) {
  const { data: features = [] } = useQuery({
    queryKey: ['features'],
    queryFn: ({ signal }) => recount.listFeatures({ limit: 1000 }, { signal }).all(),
  });
  if (features.length === 0) return null;
  return (
    <Section title="Features">
      <CheckList
        options={features.map(({ feature_id: value, feature_name: label }) => ({ value, label }))}
        chosen={granted}
        onChange={onChange}
      />
    </Section>
  );
}
