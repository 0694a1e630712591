import { Module } from '@nestjs/common';
import { MeteringModule } from '../metering/metering.module.js';
import { Bucket } from './bucket/bucket.js';
import { UploadWorker } from './bucket/upload-worker.js';
import { Uploads } from './bucket/uploads.js';
import { SignedCheckpointAudit } from './signed-checkpoint-audit.js';
import { SignedCheckpointFiles } from './signed-checkpoint-files.js';
import { SignedCheckpoints } from './signed-checkpoints.js';
import { SignCheckpointHandler } from './commands/sign-checkpoint.js';
import { TransparencyFaults } from './transparency-faults.js';
import { TransparencyController } from './http/transparency.controller.js';
import {
  ListNotedCheckpointsHandler,
  GetConsistencyHandler,
  GetLatestCheckpointHandler,
  ListCheckpointsHandler,
  GetCheckpointResourceHandler,
} from './queries/checkpoint-queries.js';
import { GetProofHandler } from './queries/get-proof.js';
import { ListSigningKeysHandler } from './queries/list-signing-keys.js';
import { Proofs } from './queries/proofs.js';
import { SigningKeyLog } from './signing-key-log.js';
import { SigningKeys } from './signing-keys.js';
import { TransparencyWorker } from './transparency-worker.js';
import { TreeAudit } from './tree-audit.js';
import { TreeReader } from './tree-reader.js';
import { Trees } from './trees.js';
import { Cosignatures } from './witnesses/cosignatures.js';
import { Cosigner } from './witnesses/cosigner.js';
import { WitnessWorker } from './witnesses/witness-worker.js';
import { Witnesses } from './witnesses/witnesses.js';

/** A Merkle tree per organization over its events and usage, signed checkpoints, and proofs. */
@Module({
  imports: [MeteringModule],
  controllers: [TransparencyController],
  providers: [
    Bucket,
    SignedCheckpointAudit,
    SignedCheckpointFiles,
    SignedCheckpoints,
    Cosignatures,
    Cosigner,
    TransparencyFaults,
    Proofs,
    SigningKeyLog,
    SigningKeys,
    TransparencyWorker,
    TreeAudit,
    TreeReader,
    Trees,
    Uploads,
    UploadWorker,
    Witnesses,
    WitnessWorker,
    SignCheckpointHandler,
    ListNotedCheckpointsHandler,
    GetConsistencyHandler,
    GetLatestCheckpointHandler,
    GetProofHandler,
    ListCheckpointsHandler,
    ListSigningKeysHandler,
    GetCheckpointResourceHandler,
  ],
  exports: [SignedCheckpointAudit, SignedCheckpoints, TreeAudit, TreeReader],
})
export class TransparencyModule {}
