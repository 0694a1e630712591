import type { Organization } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { ActionButton } from './action-button.js';
import { ChangeForm } from './change-form.js';
import { SETTINGS } from './settings-fields.js';

/** Button that opens a form for the settings. */
export const ChangeSettings = ({ organization }: { readonly organization: Organization }) => (
  <ActionButton label="Change settings" title="Change settings" isForAdmins>
    {(dialog) => (
      <ChangeForm
        {...dialog}
        fields={SETTINGS}
        resource={organization}
        label="Save settings"
        save={(body) => recount.updateOrganization(body)}
        done="The settings have been changed. Invoices already issued stay as they are."
      />
    )}
  </ActionButton>
);
