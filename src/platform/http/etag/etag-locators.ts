import type { Request } from 'express';
import type { Uuid } from '../../../kernel/ids.js';

type FindStream = (org: Uuid, id: string) => string | undefined | Promise<string | undefined>;

/**
 * Which stream a resource is: by the first parameter of the path it is addressed by, or by the path where it has none.
 * Its modules say so.
 */
export class EtagLocators {
  readonly #finders = new Map<string, FindStream>();

  /** @param name `plan_id`, or `/api/organization` */
  register(name: string, find: FindStream): void {
    this.#finders.set(name, find);
  }

  /** @param path as a controller declares it, with `:plan_id` or `{plan_id}` */
  hasEtag(path: string): boolean {
    return this.#finders.has(nameIn(path));
  }

  /** Undefined for what has no stream, or no id that could be one. */
  async find(org: Uuid, request: Request): Promise<string | undefined> {
    const name = nameIn((request.route as { path: string }).path);
    const id = (request.params as Readonly<Record<string, string>>)[name];
    return this.#finders.get(name)?.(org, id ?? '');
  }
}

const nameIn = (path: string): string => /[:{](\w+)/.exec(path)?.[1] ?? path.replace(/\/$/, '');

/** Is the answer at this path the resource itself? Under it there are others, such as what a switch of plans makes. */
export const returnsResource = (path: string): boolean =>
  /^\/api\/organization\/?$|^[^:{]*\/(?::\w+|\{\w+\})(?:\/update)?\/?$/.test(path);
