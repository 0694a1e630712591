import { runProcess } from './run-process.js';

runProcess(process.env);
