import { runProcess } from './run-process.js';

/** Starts a process with the role `projections` only. */
runProcess({ ...process.env, ROLES: 'projections' });
