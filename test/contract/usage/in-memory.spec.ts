import { InMemoryUsage } from '../../simulation/in-memory-usage.js';
import { usageContract } from './contract.js';

usageContract('memory', async () => new InMemoryUsage());
