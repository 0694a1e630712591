import { toWireId } from '../kernel/ids.js';
import type { Feature } from './domain/feature.js';

/** Feature of api.md 2.9. */
export const presentFeature = ({ featureId, name, description }: Feature) => ({
  feature_id: toWireId('feature', featureId),
  feature_name: name,
  feature_description: description,
});
