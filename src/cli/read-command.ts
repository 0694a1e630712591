import { parseArgs } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import { PROJECTION_NAMES } from '../app.module.js';
import { fromWireId, isUuid, type Uuid } from '../kernel/ids.js';
import { FIRST_ORGANIZATION } from '../organization/first-organization.js';
import { examine } from './doctor.js';
import { listErasures, readErasures, repeatErasures } from './erasures.js';
import { createOrganization, listOrganizations } from './organizations.js';
import { listParked, retryParked } from './parked.js';
import { projectionsStatus, rebuildProjection, retryProjection } from './projections.js';
import { requireReadModels } from './require-read-models.js';
import { replaySubscription } from './replay-subscription.js';
import { verifyInvoices } from './verify-invoices.js';

/** Yields the lines to print. @returns whether there are no findings */
export type Command = (app: INestApplicationContext) => AsyncGenerator<string, boolean>;

/** Invalid command line. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

export const USAGE = `usage: npm run recount -- COMMAND
  replay subscription ID   every event of a subscription and of its billing, term by term, from the log
  verify NUMBER…           computes these invoices again and compares; by number or id
  verify --all             computes every issued invoice again and compares
  erasures list [--json]   every customer who was erased
  erasures repeat FILE     repeats the erasures of a list, after an older backup was restored
  organization create NAME creates an organization and its admin key, which is shown only this once
  organization list        every organization
  park list                parked billing work, its cause, and the time of the next try
  park retry ID…           retries it with the scheduler's next sweep; --all: everything that is parked
  projections status       how far each read model is, and why one has stopped
  projections rebuild NAME builds a read model beside the live one, compares the two and replaces it; --all
  projections retry NAME   retries the parked streams of a read model within a second; --all
  doctor [--sample N]      checks the invariants; computes N invoices again (default 20)
options
  --organization ID        whose data; default: the first organization
The stores are those of the service: DATABASE_URL, EVENTSTORE_URL, DATA_DIR, MASTER_KEY.`;

/** @throws CliError that names the invalid part */
export function readCommand(argv: readonly string[]): Command | 'help' {
  const { values, positionals } = parse(argv);
  if (values.help) return 'help';
  const org = organizationOf(values.organization);
  const [name, ...rest] = positionals;
  switch (name) {
    case 'replay': {
      const [what, id, ...more] = rest;
      const subscriptionId = id === undefined ? undefined : fromWireId('sub', id);
      if (what !== 'subscription' || !subscriptionId || more.length > 0) {
        throw new CliError('replay takes the word subscription and the id of one.');
      }
      return (app) => replaySubscription(app, org, subscriptionId);
    }
    case 'verify': {
      if (values.all === rest.length > 0) throw new CliError('verify takes numbers of invoices, or --all.');
      return withReadModels((app) => verifyInvoices(app, values.all ? 'all' : { org, names: rest }));
    }
    case 'erasures': {
      const [what, file, ...more] = rest;
      if (what === 'list' && file === undefined) return (app) => listErasures(app, values.json);
      if (what !== 'repeat' || file === undefined || more.length > 0) {
        throw new CliError('erasures takes the word list, or the word repeat and the file of a list.');
      }
      return (app) => repeatErasures(app, readErasures(file));
    }
    case 'organization': {
      const [what, title, ...more] = rest;
      if (what === 'list' && title === undefined) return listOrganizations;
      if (what !== 'create' || !title?.trim() || title.trim().length > 200 || more.length > 0) {
        throw new CliError(
          'organization takes the word list, or the word create and a name of 1 to 200 letters.',
        );
      }
      return (app) => createOrganization(app, title.trim());
    }
    case 'park': {
      const [what, ...ids] = rest;
      if (what === 'list' && ids.length === 0 && !values.all) return listParked;
      if (what !== 'retry' || values.all === ids.length > 0 || !ids.every(isUuid)) {
        throw new CliError(
          'park takes the word list, or the word retry with ids of what is parked, or --all.',
        );
      }
      return (app) => retryParked(app, values.all ? 'all' : ids);
    }
    case 'projections': {
      const [what, name, ...more] = rest;
      if (what === 'status' && name === undefined) return projectionsStatus;
      const named = values.all ? PROJECTION_NAMES : PROJECTION_NAMES.filter((one) => one === name);
      const isNamed = named.length > 0 && values.all === (name === undefined) && more.length === 0;
      if (!['rebuild', 'retry'].includes(what!) || !isNamed) {
        const names = PROJECTION_NAMES.join(', ');
        throw new CliError(`projections takes status, or rebuild or retry and --all or one of ${names}.`);
      }
      const work = what === 'rebuild' ? rebuildProjection : retryProjection;
      return (app) => oneByOne(named.map((projection) => work(app, projection)));
    }
    case 'doctor': {
      const sample = Number(values.sample);
      if (rest.length > 0 || !Number.isInteger(sample) || sample < 0) {
        throw new CliError('doctor takes nothing but --sample with a whole number.');
      }
      return withReadModels((app) => examine(app, sample));
    }
    case undefined:
      throw new CliError('Say what to do.');
    default:
      throw new CliError(`There is no command "${name}".`);
  }
}

const withReadModels = (command: Command): Command =>
  async function* (app) {
    await requireReadModels(app);
    return yield* command(app);
  };

async function* oneByOne(works: readonly AsyncGenerator<string, boolean>[]): AsyncGenerator<string, boolean> {
  let isWell = true;
  for (const work of works) isWell = (yield* work) && isWell;
  return isWell;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        all: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        organization: { type: 'string' },
        sample: { type: 'string', default: '20' },
      },
    });
  } catch (error) {
    throw new CliError((error as Error).message);
  }
}

function organizationOf(text: string | undefined): Uuid {
  if (text === undefined) return FIRST_ORGANIZATION;
  const org = fromWireId('org', text);
  if (!org) throw new CliError(`"${text}" is not the id of an organization.`);
  return org;
}
