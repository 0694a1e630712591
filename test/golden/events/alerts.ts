import type { UsageAlertEvent } from '../../../src/alerts/domain/events.js';
import type { Shapes } from './shapes.js';

export const usageAlertShapes = {
  UsageAlertCreated: {
    alertId: '5f0c1b7e-1d7b-5c54-9d0b-3b1d3f0f6b01',
    name: 'Half of the quota',
    metricId: '5f0c1b7e-1d7b-5c54-9d0b-3b1d3f0f6b02',
    customerKey: '5f0c1b7e-1d7b-5c54-9d0b-3b1d3f0f6b03',
    planId: null,
    measure: 'units',
    threshold: '500.5',
    createdAt: '2026-01-01T00:00:00.000000Z',
    takenIn: true,
  },
  UsageAlertChanged: {
    alertId: '5f0c1b7e-1d7b-5c54-9d0b-3b1d3f0f6b01',
    changes: { name: 'Quota', threshold: '1000' },
  },
  UsageAlertRemoved: { alertId: '5f0c1b7e-1d7b-5c54-9d0b-3b1d3f0f6b01' },
} satisfies Shapes<UsageAlertEvent>;
