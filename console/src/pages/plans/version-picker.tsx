import type { PlanVersion } from '../../../../clients/typescript/src/index.js';
import { Field, SelectInput } from '../../shared/field.js';
import { versionName } from './version-name.js';
import styles from './version-picker.module.css';

interface VersionPickerProps {
  readonly versions: readonly PlanVersion[];
  readonly shown: PlanVersion;
  readonly other: PlanVersion | undefined;
  readonly onShow: (versionId: string) => void;
  readonly onCompare: (versionId: string | undefined) => void;
}

export function VersionPicker({ versions, shown, other, onShow, onCompare }: VersionPickerProps) {
  if (versions.length < 2) return null;
  return (
    <div className={styles.picker}>
      <Field label="Version">
        <SelectInput value={shown.version_id} onChange={({ target }) => onShow(target.value)}>
          {versions.map((version) => (
            <option key={version.version_id} value={version.version_id}>
              {versionName(version)}
            </option>
          ))}
        </SelectInput>
      </Field>
      <Field label="Compare with">
        <SelectInput
          value={other?.version_id ?? ''}
          onChange={({ target }) => onCompare(target.value === '' ? undefined : target.value)}
        >
          <option value="">nothing</option>
          {versions
            .filter(({ version_id: id }) => id !== shown.version_id)
            .map((version) => (
              <option key={version.version_id} value={version.version_id}>
                {versionName(version)}
              </option>
            ))}
        </SelectInput>
      </Field>
    </div>
  );
}
