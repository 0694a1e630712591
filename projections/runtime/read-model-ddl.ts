import pg from 'pg';
import type { ReadModelTable } from './projection.js';

const { escapeIdentifier: name, escapeLiteral: text } = pg;

/** The table behind the view: each version has its own, so that a new one is filled beside the one in use. */
export const tableOf = (view: string, version: number): string => `${view}_v${version}`;

export const columnsOf = (table: ReadModelTable<object>): string[] => Object.keys(table.columns);

/** The statements that make one version's table, with its indexes and its comments. */
export function tableDdl(view: string, version: number, table: ReadModelTable<object>): string[] {
  const target = name(tableOf(view, version));
  const columns = definitions(table).map(([column, { type }]) => `${name(column)} ${type}`);
  const key = table.key.map(name).join(', ');
  return [
    `create table ${target} (${columns.join(', ')}, primary key (${key})) with (fillfactor = ${table.fillfactor ?? 100})`,
    ...(table.indexes ?? []).map((index) => `create index on ${target} ${index}`),
    ...comments('table', target, table),
  ];
}

/**
 * The statements that point the view, the name readers use, at one version. In place when its columns stay the same, so
 * that it keeps what was granted on it and the views that others have built on it.
 */
export function viewDdl(
  view: string,
  version: number,
  table: ReadModelTable<object>,
  columns: 'same' | 'new',
): string[] {
  const names = columnsOf(table).map(name).join(', ');
  return [
    ...(columns === 'new' ? [`drop view if exists ${name(view)}`] : []),
    `create or replace view ${name(view)} as select ${names} from ${name(tableOf(view, version))}`,
    ...comments('view', name(view), table),
  ];
}

function comments(kind: 'table' | 'view', target: string, table: ReadModelTable<object>): string[] {
  return [
    `comment on ${kind} ${target} is ${text(table.comment)}`,
    ...definitions(table).map(
      ([column, { comment }]) => `comment on column ${target}.${name(column)} is ${text(comment)}`,
    ),
  ];
}

const definitions = (table: ReadModelTable<object>): [string, { type: string; comment: string }][] =>
  Object.entries(table.columns);
