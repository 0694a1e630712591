import { runProcess } from '../src/run-process.js';

/** The projections alone, as a process of their own. */
runProcess({ ...process.env, ROLES: 'projections' });
