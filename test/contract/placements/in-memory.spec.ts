import { InMemoryPlacements } from '../../simulation/in-memory-placements.js';
import { placementsContract } from './contract.js';

placementsContract('memory', async () => new InMemoryPlacements(async () => false));
