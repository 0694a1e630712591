import type { CreateFeatureBody } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Create } from './create.js';
import { readText } from './form-search.js';

export const NewFeature = () => (
  <Create
    label="New feature"
    fields={() => [
      { name: 'feature_name', label: 'Name', isRequired: true },
      { name: 'feature_description', label: 'Description' },
    ]}
    shape={{ feature_name: readText, feature_description: readText }}
    create={(body: CreateFeatureBody, options) => recount.createFeature(body, options)}
    made={({ feature_name: name }) => (
      <p>The feature {name} has been created. Plan versions can now grant it.</p>
    )}
  />
);
