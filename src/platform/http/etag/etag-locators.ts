import type { Request } from 'express';
import type { Uuid } from '../../../kernel/ids.js';

type FindStream = (org: Uuid, id: string) => string | undefined | Promise<string | undefined>;

/**
 * Finds the stream of a resource, by the first parameter of its path, or by the path itself where it has none. Modules
 * register their resources.
 */
export class EtagLocators {
  readonly #finders = new Map<string, FindStream>();

  /** @param name the first parameter of the path, such as `thing_id`, or a path without parameters */
  register(name: string, find: FindStream): void {
    this.#finders.set(name, find);
  }

  /** @param path as a controller declares it, with `:thing_id` or `{thing_id}` */
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

/** Returns whether the answer at this path is the resource itself, and not a part or a result of an action under it. */
export const returnsResource = (path: string): boolean =>
  /^\/api\/organization\/?$|^[^:{]*\/(?::\w+|\{\w+\})(?:\/update)?\/?$/.test(path);
