import { sha256Hex } from '../../src/kernel/canonical-json.js';
import { DomainError } from '../../src/kernel/errors.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { DAY, MINUTE, plusMicros, type Instant } from '../../src/kernel/instant.js';
import { RunBilling } from '../../src/billing/runs/run-billing.js';
import {
  AppendOutcomeUnknown,
  StoreUnavailable,
} from '../../src/platform/eventsourcing/store/event-store.js';
import { longWorkQueue } from '../../src/platform/concurrency/long-work.js';
import { someAct, type Act, type Habits } from './acts.js';
import { NO_FAULTS, ProcessDied, Uncountable } from './faults.js';
import { findBroken } from './invariants.js';
import { shopOf, type Shop } from './shop.js';
import { CURRENCY, World } from './world.js';

export interface Simulated {
  /** The whole log. */
  readonly events: readonly RecordedEvent[];
  /** Of it: what happened, to the byte. */
  readonly hash: string;
  readonly acknowledged: number;
  readonly crashes: number;
}

const ROUNDS = 12;
/** A run that finds nothing says so, and every few of them the account is carried forward. */
const OWES_NOTHING = new Set(['NothingDue', 'AccountCarriedForward']);

/**
 * One random history with faults, brought to its end. @throws Error naming what does not hold, with the seed
 */
export async function simulate(seed: number): Promise<Simulated> {
  const endWait = waitForNoTime();
  try {
    return await new Simulation(seed).run();
  } catch (error) {
    const { stack, message } = error as Error;
    throw new Error(`seed ${seed}: ${message}\n${stack ?? ''}`, { cause: error });
  } finally {
    endWait();
  }
}

/** How long a computation takes on this machine decides nothing: a seed decides everything. */
function waitForNoTime(): () => void {
  const { next } = longWorkQueue;
  longWorkQueue.next = () => Promise.resolve();
  // The specs that follow in this worker have the same queue.
  return () => (longWorkQueue.next = next);
}

class Simulation {
  private readonly world: World;
  private readonly shop: Shop;
  private readonly habits: Habits;
  private readonly acknowledged: Act[] = [];
  private crashes = 0;

  constructor(seed: number) {
    this.world = new World(seed);
    const { random } = this.world;
    this.shop = shopOf(random, this.world.org);
    this.habits = {
      switches: random.chance(0.4),
      usageIsLate: random.chance(0.5),
      deletes: random.chance(0.2),
    };
  }

  async run(): Promise<Simulated> {
    const { world } = this;
    await world.open(this.shop);
    const trouble = world.random.pick([0, 0.002, 0.01, 0.03]);
    world.rates = {
      unavailable: trouble * world.random.next(),
      outcomeUnknown: trouble * world.random.next() * 3,
      crash: (trouble * world.random.next()) / 2,
      uncountable: trouble * world.random.next() * 5,
    };
    for (let round = 0; round < ROUNDS; round++) {
      const days = BigInt(world.random.integer(0, 20)) * DAY;
      await this.advance(plusMicros(world.now, days + BigInt(world.random.integer(1, 86_400_000))));
      const acts = await this.someActs();
      await this.together(...acts.map((act) => () => this.request(act)), ...this.sweeps(0.3));
    }
    await this.comeToRest();
    const broken = await findBroken(world, this.shop, this.acknowledged);
    if (broken.length > 0) throw new Error(broken.join('\n'));
    await this.expectNothingMore();
    const events = await world.events();
    const said = events.map(({ id, stream, type, data }) => [id, stream, type, data]);
    const hash = sha256Hex(JSON.stringify(said));
    return { events, hash, acknowledged: this.acknowledged.length, crashes: this.crashes };
  }

  /** To an instant, through what falls due on the way, or past it when the scheduler was down. */
  private async advance(to: Instant): Promise<void> {
    const { world } = this;
    const wasDown = world.random.chance(0.3);
    while (!wasDown) {
      const next = await world.due.nextAfter(world.now);
      if (next === undefined || next > to) break;
      world.now = next;
      await this.together(...this.sweeps(1));
    }
    world.now = to;
  }

  /** A scheduler, or two of them at the same time. */
  private sweeps(chance: number): (() => Promise<unknown>)[] {
    const { random, now } = this.world;
    const count = random.chance(chance) ? random.integer(1, 2) : 0;
    return Array.from(
      { length: count },
      () => () => this.tried((process) => process.sweep.sweep(now, false)),
    );
  }

  private async someActs(): Promise<Act[]> {
    const acts: Act[] = [];
    for (let n = this.world.random.integer(1, 4); n > 0; n--) {
      acts.push(await someAct(this.world, this.shop, this.habits));
    }
    return acts;
  }

  /** Everything at once, in the order that the seed says. */
  private async together(...tasks: (() => Promise<unknown>)[]): Promise<void> {
    const found: unknown[] = [];
    const running = tasks.map((task) => task().catch((error: unknown) => void found.push(error)));
    await this.world.turns.untilDone(running);
    if (found.length > 0) throw found[0];
  }

  /** Asks until it is answered, or gives up and never knows. */
  private async request(act: Act): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const answered = await this.tried((process) => act.send(process));
      if (answered === 'done') return void this.acknowledged.push(act);
      if (answered === 'refused' || this.world.random.chance(0.1)) return;
      await this.world.turns.take();
    }
  }

  /** What trouble can explain is not a finding; everything else is thrown. */
  private async tried(
    work: (process: ReturnType<World['process']>['process']) => Promise<unknown>,
  ): Promise<'done' | 'refused' | 'unanswered'> {
    const { process, starting } = this.world.process();
    const begun = Promise.all(starting).catch(passTrouble);
    try {
      await work(process);
      return process.outside.alive ? 'done' : 'unanswered';
    } catch (error) {
      if (!process.outside.alive) this.crashes++;
      const wasRefused = error instanceof DomainError && !['conflict', 'unavailable'].includes(error.code);
      if (wasRefused && process.outside.alive) return 'refused';
      passTrouble(error);
      return 'unanswered';
    } finally {
      await begun;
    }
  }

  /** No more trouble: what was left undone is done, and what has been used is billed. */
  private async comeToRest(): Promise<void> {
    const { world } = this;
    world.rates = NO_FAULTS;
    const settle = async () => {
      await this.together(() => this.tried((process) => process.worker.catchUp()));
      await this.together(() => this.tried((process) => process.sweep.sweep(world.now, false)));
    };
    await settle();
    world.now = plusMicros(world.now, 31n * MINUTE);
    await settle();
    for (const customerKey of this.shop.customers) await this.bill(customerKey, 'at last');
  }

  private async bill(customerKey: string, cause: string): Promise<void> {
    const { world } = this;
    const commandId = `${world.newCommandId()}`;
    const context = { org: world.org, commandId, correlationId: cause, actor: 'system' };
    const run = new RunBilling(context, { customerKey, currency: CURRENCY });
    await this.together(() => this.tried((process) => process.execute(run)));
  }

  /** Every event delivered again, every answered request sent again, every scheduler run again: nothing is added. */
  private async expectNothingMore(): Promise<void> {
    const { world } = this;
    const before = (await world.events()).length;
    // What found nothing to do is answered from its record.
    const wrote = new Set((await world.events()).map(({ metadata }) => metadata.commandId));
    for (const act of this.acknowledged) {
      if (act.name.endsWith('by filter') && !wrote.has(act.commandId)) continue;
      await this.together(() => this.tried((process) => act.send(process)));
    }
    const { process } = world.process();
    process.outside.alive = false;
    await this.comeToRestAgain();
    const added = (await world.events()).slice(before).filter(({ type }) => !OWES_NOTHING.has(type));
    if (added.length > 0) {
      throw new Error(
        `a repetition added ${added.map(({ type, stream }) => `${type} to ${stream}`).join(', ')}`,
      );
    }
  }

  private async comeToRestAgain(): Promise<void> {
    await this.together(() => this.tried((process) => process.worker.catchUp()));
    await this.together(() => this.tried((process) => process.sweep.sweep(this.world.now, false)));
  }
}

function passTrouble(error: unknown): void {
  const isTrouble =
    error instanceof ProcessDied ||
    error instanceof Uncountable ||
    error instanceof StoreUnavailable ||
    error instanceof AppendOutcomeUnknown ||
    (error instanceof DomainError && ['conflict', 'unavailable'].includes(error.code));
  if (!isTrouble) throw error;
}
