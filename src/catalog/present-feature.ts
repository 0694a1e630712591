import { toWireId } from '../kernel/ids.js';
import { named, nullable, object, text, type WireOf } from '../platform/http/openapi/schema.js';
import { wireId } from '../platform/http/openapi/values.js';
import type { Feature } from './domain/feature.js';

/** Wire shape of a feature (docs/contract.md#feature). */
export const FEATURE = named(
  'Feature',
  object({
    feature_id: wireId('feature'),
    feature_name: text(),
    feature_description: nullable(text()),
  }),
);

export const presentFeature = ({ featureId, name, description }: Feature): WireOf<typeof FEATURE> => ({
  feature_id: toWireId('feature', featureId),
  feature_name: name,
  feature_description: description,
});
