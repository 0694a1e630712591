import { Command as Program, Option } from 'commander';
import { isUuid, type Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import {
  countOf,
  momentOf,
  organizationNameOf,
  organizationOf,
  sizeOfKept,
  wholeNumberOf,
  wireIdOf,
} from './arguments.js';
import { type Command, loadCommands, ofOrganization, withReadModels } from './checked-commands.js';
import type { ExportOptions } from './export-evidence.js';
import type { Format } from './export-view.js';
import type { Composition } from './tools.js';
import { packageVersion } from './version.js';

/** Command that the arguments select, with the part of the application that it needs if not all of it. */
export interface SelectedCommand {
  readonly command: Command;
  readonly composition?: Composition | undefined;
  /** Tells whether the command may bring the schema up to this build, which locks out older builds. */
  readonly mayUpgrade?: boolean;
}

const STORES = `
The stores are those of the service: DATABASE_URL, EVENTSTORE_URL, DATA_DIR, MASTER_KEY.
Without DATABASE_URL and DATA_DIR the data of npm start (.data) or else of npm run demo (.data/demo) is read.
Exit codes: 0 nothing was found; 1 something was found; 2 the command could not be executed;
141 the reader of the output has left, as with | head.`;

/** Functions that the action of a command calls. */
interface ActionContext {
  readonly choose: (command: Command, composition?: Composition, mayUpgrade?: boolean) => void;
  /** Returns the organization of the option `--organization`, or the first one. */
  readonly org: () => Promise<Uuid>;
}

/** Defines every command and its options. The action of a command calls `choose`. */
export function programOf(choose: (chosen: SelectedCommand) => void): Program {
  const program = new Program('recount')
    .description('Looks after the data of a Recount service, running or stopped.')
    .version(
      packageVersion(),
      '--version',
      'prints the version of this build; the API document carries that of the interface',
    )
    .option('--organization <id>', 'whose data; default: the first organization', organizationOf)
    .option('--json', 'one JSON object a line, for programs', false)
    .addHelpText('after', STORES);
  const named = () => program.opts<{ organization?: Uuid }>().organization;
  let isOfOne = false;
  const context: ActionContext = {
    choose: (command, composition, mayUpgrade = false) => {
      if (named() && !isOfOne) refuseOrganization(program);
      choose({ command: ofOrganization(named(), command), composition, mayUpgrade });
    },
    org: async () => {
      isOfOne = true;
      return named() ?? (await loadCommands()).FIRST_ORGANIZATION;
    },
  };
  // In the order in which help lists them.
  addReplay(program, context);
  addVerify(program, context);
  addExplain(program, context);
  addAudit(program, context);
  addErasures(program, context);
  addOrganization(program, context);
  addPark(program, context);
  addProjections(program, context);
  addExport(program, context);
  addDoctor(program, context);
  return program;
}

function addReplay(program: Program, { choose, org }: ActionContext): void {
  program
    .command('replay')
    .description('Prints every event of a subscription and of its billing, term by term, from the log.')
    .addHelpText('after', '\nrecount replay subscription sub_0190…')
    .command('subscription')
    .description('Prints a subscription from its first term on, whichever term is named.')
    .argument('<id>', 'sub_…', wireIdOf('sub', 'a subscription'))
    .option('--as-of <time>', 'leaves out what was recorded later, such as 2026-01-31T12:00:00Z', momentOf)
    .action(async (id: Uuid, { asOf }: { readonly asOf?: Instant }) => {
      const { replaySubscription } = await loadCommands();
      const ofOrganization = await org();
      choose((app) => replaySubscription(app, ofOrganization, id, asOf));
    });
}

function addVerify(program: Program, { choose, org }: ActionContext): void {
  program
    .command('verify')
    .description('Computes issued invoices again, from the log alone, and compares.')
    .argument('[invoice...]', 'numbers or ids')
    .option(
      '--all',
      'every issued invoice of every organization, batches of usage, and invoice numbers',
      false,
    )
    .action(async (names: string[], { all }: All, command: Program) => {
      if (all === names.length > 0) command.error('error: verify takes numbers of invoices, or --all.');
      const { verifyInvoices } = await loadCommands();
      const selection = all ? 'all' : { org: await org(), names };
      choose(await withReadModels((app) => verifyInvoices(app, selection)));
    });
}

function addExplain(program: Program, { choose, org }: ActionContext): void {
  program
    .command('explain')
    .description(
      'Prints how each line of an invoice was calculated: tiers, fraction, dates, earlier charges.',
    )
    .argument('<invoice>', 'number or id')
    .addHelpText('after', '\nrecount explain 260201-000001')
    .action(async (invoice: string) => {
      const { explainInvoice } = await loadCommands();
      const ofOrganization = await org();
      choose(await withReadModels((app) => explainInvoice(app, ofOrganization, invoice)));
    });
}

function addAudit(program: Program, { choose, org }: ActionContext): void {
  const audit = program.command('audit').description('Writes evidence for auditors.');
  audit
    .command('export')
    .description('Writes an archive with all that invoices follow from, for recount-verify.')
    .argument('<file>', 'the archive; an existing file is refused')
    .option('--invoice <name>', 'one invoice, by number or id')
    .option('--customer <customer_id>', 'every invoice of a customer')
    .option('--from <date>', 'invoices issued at or after this date or time')
    .option('--to <date>', 'invoices issued before this date or time')
    .option('--pdf', 'with the documents of the invoices, which name persons', false)
    .option('--personal-data', 'with the details of the customers, as of the invoices', false)
    .option('--since <checkpoint>', 'proves that the tree continues it: a kept file, or its size', sizeOfKept)
    .option('--part-events <count>', 'events of a part of the archive; default 10000', countOf)
    .option('--resume', 'goes on with an export that was broken off, as it was begun', false)
    .action(async (file: string, options: ExportOptions, command: Program) => {
      const { exportEvidence, readSelection, resumeEvidence } = await loadCommands();
      const selection = readSelection(options);
      if (typeof selection === 'string') return command.error(`error: ${selection}`);
      const ofOrganization = await org();
      choose(
        await withReadModels((app) =>
          options.resume
            ? resumeEvidence(app, ofOrganization, file)
            : exportEvidence(app, ofOrganization, selection, file),
        ),
      );
    });
}

function addErasures(program: Program, { choose }: ActionContext): void {
  const erasures = program.command('erasures').description('Lists erased customers, or erases them again.');
  erasures
    .command('list')
    .description(
      'Prints every customer who was erased; with --json for erasures repeat. No line names a person.',
    )
    .action(async () => choose((await loadCommands()).listErasures));
  erasures
    .command('repeat')
    .description('Repeats the erasures of a list, after an older backup was restored.')
    .argument('<file>', 'what erasures list --json printed')
    .action(async (file: string) => {
      const { readErasures, repeatErasures } = await loadCommands();
      const listed = readErasures(file);
      choose((app) => repeatErasures(app, listed));
    });
}

function addOrganization(program: Program, { choose, org }: ActionContext): void {
  const organization = program.command('organization').description('Creates and lists organizations.');
  organization
    .command('create')
    .description('Creates an organization and prints its admin key, which is shown only this once.')
    .argument('<name>', '1 to 200 characters', organizationNameOf)
    .action(async (name: string) => {
      const { createOrganization } = await loadCommands();
      choose((app) => createOrganization(app, name));
    });
  organization
    .command('add-key')
    .description('Creates another admin key and prints it, where an earlier one was lost or never printed.')
    .action(async () => {
      const { addOrganizationKey } = await loadCommands();
      const ofOrganization = await org();
      choose((app) => addOrganizationKey(app, ofOrganization));
    });
  organization
    .command('list')
    .description('Prints every organization.')
    .action(async () => choose((await loadCommands()).listOrganizations));
}

function addPark(program: Program, { choose }: ActionContext): void {
  const park = program.command('park').description('Shows and retries billing work that failed.');
  park
    .command('list')
    .description('Prints parked billing work, its cause, and the time of the next try.')
    .action(async () => choose((await loadCommands()).listParked));
  park
    .command('retry')
    .description('Has the scheduler retry parked work with its next sweep.')
    .argument('[id...]', 'as park list prints them')
    .option('--all', 'everything that is parked', false)
    .action(async (ids: string[], { all }: All, command: Program) => {
      if (all === ids.length > 0) command.error('error: park retry takes ids of what is parked, or --all.');
      const wrong = ids.find((id) => !isUuid(id));
      if (wrong !== undefined) command.error(`error: "${wrong}" is not the id of parked work.`);
      const { retryParked } = await loadCommands();
      choose((app) => retryParked(app, all ? 'all' : ids));
    });
}

function addProjections(program: Program, { choose }: ActionContext): void {
  const projections = program.command('projections').description('Shows, rebuilds and retries read models.');
  projections
    .command('status')
    .description(
      'Prints how far each read model is, why one has stopped, and where one differs from the log.',
    )
    .action(async () => {
      const { projectionsStatus, readModelsOnly } = await loadProjectionCommands();
      choose(projectionsStatus, readModelsOnly);
    });
  for (const [verb, description] of [
    ['rebuild', 'Builds a read model beside the live one, compares the two and replaces it.'],
    ['retry', 'Retries the parked streams of a read model within a second.'],
  ] as const) {
    projections
      .command(verb)
      .description(description)
      .argument('[name]', 'as projections status prints it')
      .option('--all', 'every read model', false)
      .action(async (name: string | undefined, { all }: All, command: Program) => {
        const { projectionsOf, readModelsOnly, ...commands } = await loadProjectionCommands();
        const named = projectionsOf(name, all);
        if (typeof named === 'string') return command.error(`error: projections ${verb} takes ${named}.`);
        const work = verb === 'rebuild' ? commands.rebuildProjection : commands.retryProjection;
        const each: Command = (app) => commands.oneByOne(named.map((projection) => work(app, projection)));
        // A rebuild of the next release's read models precedes its start.
        choose(each, readModelsOnly, verb === 'rebuild');
      });
  }
}

function addExport(program: Program, { choose, org }: ActionContext): void {
  program
    .command('export')
    .description('Writes the rows of a view that an organization has, as CSV, JSON lines or Parquet.')
    .argument('<view>', 'an analytics view such as mrr, or read_models.NAME (docs/read-models.md)')
    .addOption(
      new Option('--format <format>', 'csv, or json with --json, unless told').choices([
        'csv',
        'json',
        'parquet',
      ] satisfies Format[]),
    )
    .addHelpText('after', '\nrecount export mrr > mrr.csv')
    .action(async (view: string, options: { format?: Format }, command: Program) => {
      const preset = program.opts<{ json: boolean }>().json ? 'json' : 'csv';
      const { format = preset } = options;
      if (preset === 'json' && format !== 'json')
        command.error(`error: export takes --json or --format ${format}, not both.`);
      const { exportView } = await loadCommands();
      const ofOrganization = await org();
      choose(await withReadModels((app) => exportView(app, ofOrganization, view, format)));
    });
}

function addDoctor(program: Program, { choose }: ActionContext): void {
  program
    .command('doctor')
    .description('Checks the invariants, and computes a sample of the invoices again.')
    .option('--sample <count>', 'invoices that are computed again', wholeNumberOf, 20)
    .option('--checkpoints <directory>', 'compares log and usage with checkpoints that were kept outside')
    .action(async ({ sample, checkpoints }: { sample: number; checkpoints?: string }) => {
      const { examine } = await loadCommands();
      choose(await withReadModels((app) => examine(app, sample, checkpoints)));
    });
}

const loadProjectionCommands = () => import('./projections.js');

interface All {
  readonly all: boolean;
}

/** Refuses the option for a command on all organizations, which would work on the others too. */
function refuseOrganization(program: Program): never {
  const names = program.args.slice(0, 2).filter((word) => /^[a-z]+$/.test(word));
  return program.error(`error: ${names.join(' ')} takes no --organization: it is about all of them.`);
}
