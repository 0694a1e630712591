import type { TestApp } from './app.js';

type Tables = Pick<TestApp, 'org' | 'pool'>;

/** Sets the age of a checkpoint. @param age an interval; negative for a checkpoint from the future */
export const setCheckpointAge = ({ org, pool }: Tables, number: number, age: string) =>
  pool.query(
    `update transparency_checkpoints set noted_at = now() - $3::interval where org = $1 and number = $2`,
    [org, number, age],
  );

/** Returns the ids of all checkpoints, oldest first. */
export async function checkpointIds({ org, pool }: Tables): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from transparency_checkpoints where org = $1 order by number',
    [org],
  );
  return rows.map(({ id }) => id);
}
