import { InMemoryReservations } from '../../simulation/in-memory-reservations.js';
import { overlapReservationsContract } from './contract.js';

overlapReservationsContract('memory', async () => new InMemoryReservations(async () => false));
