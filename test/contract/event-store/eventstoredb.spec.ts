import { eventStoreContract } from './contract.js';
import { doubleUnderTest } from './double-under-test.js';

eventStoreContract('EventStoreDB, on the wire', () => doubleUnderTest());
