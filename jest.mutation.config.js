import { fileURLToPath } from 'node:url';
import config from './jest.config.js';

/** What Stryker runs per mutant: one project of the configuration, as it takes no list of them. */
export default {
  ...config.projects.find(({ displayName }) => displayName === 'mutation'),
  testEnvironment: fileURLToPath(new URL('./jest.mutation.environment.cjs', import.meta.url)),
};
