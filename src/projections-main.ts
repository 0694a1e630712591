import { runProcess } from './run-process.js';

/** Starts a process that runs projections only. */
runProcess({ ...process.env, ROLES: 'projections' });
