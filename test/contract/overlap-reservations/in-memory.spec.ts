import { InMemoryReservations } from '../../simulation/in-memory-reservations.js';
import { placementsContract } from './contract.js';

placementsContract('memory', async () => new InMemoryReservations(async () => false));
