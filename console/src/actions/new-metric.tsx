import type { CreateMetricBody } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Create } from './create.js';
import type { FormField, Typed } from './form-field.js';
import { readText, oneOf, type FormShape } from './form-search.js';

const TYPES = {
  counter: 'counter: adds up events',
  gauge: 'gauge: follows a level over time',
  rate: 'rate: the peak of an interval, such as the busiest hour',
};

const COUNT = { count: 'number of events' };
const SUM = { sum: 'sum of a property' };
const MAX = { max: 'highest value of a property' };
const AVERAGE = { average: 'average of a property' };
const UNIQUE = { unique: 'number of distinct values of a property' };

const AGGREGATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  counter: { ...COUNT, ...SUM, ...MAX, ...UNIQUE, ...AVERAGE },
  gauge: MAX,
  rate: { ...COUNT, ...SUM, ...MAX, ...AVERAGE },
};

const PARTS = {
  days: 'days',
  seconds: 'seconds',
  minutes: 'minutes',
  hours: 'hours',
  months: 'months',
  quarters: 'quarters',
  years: 'years',
};

const LEVELS = { delta: 'the change of the level', total: 'the new level' };

const SHAPE: FormShape<Typed> = {
  metric_name: readText,
  event_name: readText,
  metric_type: oneOf<string>(TYPES),
  aggregation_type: oneOf<string>(AGGREGATIONS['counter']!),
  property_name: readText,
  event_type: oneOf<string>(LEVELS),
  granularity: oneOf<string>(PARTS),
};

/** Fields that the type and the aggregation of a metric need. */
function fieldsOf(values: Typed): readonly FormField[] {
  const { metric_type: type = 'counter', aggregation_type: aggregation = 'count' } = values;
  return [
    { name: 'metric_name', label: 'Name', isRequired: true },
    {
      name: 'event_name',
      label: 'Event name',
      hint: 'The event_name that your system sends.',
      isRequired: true,
    },
    { name: 'metric_type', label: 'Type', options: TYPES },
    { name: 'aggregation_type', label: 'Quantity', options: AGGREGATIONS[type] ?? COUNT },
    ...(type !== 'gauge' && aggregation === 'count'
      ? []
      : [{ name: 'property_name', label: 'Property of the events', isRequired: true }]),
    ...(type === 'gauge'
      ? [
          {
            name: 'event_type',
            label: 'Each event has',
            options: LEVELS,
          },
        ]
      : []),
    ...(type === 'counter' ? [] : [{ name: 'granularity', label: 'Interval', options: PARTS }]),
  ];
}

export const NewMetric = () => (
  <Create
    label="New metric"
    fields={fieldsOf}
    shape={SHAPE}
    create={(body: CreateMetricBody, options) => recount.createMetric(body, options)}
    made={({ metric_name: name, event_name: event }) => (
      <p>
        The metric {name} counts events named <code>{event}</code>. Plan versions can now set a price for it.
      </p>
    )}
  />
);
