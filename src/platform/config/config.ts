import type { Instant } from '../../kernel/instant.js';

export type Role = 'api' | 'projections' | 'scheduler';

/** A key with fewer characters can be guessed: it is refused at the start and in every request. */
export const SHORTEST_KEY = 32;

/** The settings of the environment (docs/operating.md#settings), validated and complete. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Where liveness, readiness and metrics are asked for without a key, in every role; undefined: nowhere. */
  readonly managementPort: number | undefined;
  /** Undefined: an embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Port of the embedded PostgreSQL; undefined: a free one at each start. */
  readonly embeddedPort?: number | undefined;
  /** Password of the login `recount_reader` of the embedded PostgreSQL; undefined: the login is not created. */
  readonly embeddedReaderPassword?: string | undefined;
  /** Undefined: the Postgres event store. */
  readonly eventStoreUrl: string | undefined;
  readonly dataDir: string;
  /** The first organization's admin key; undefined: the first start makes one. */
  readonly apiKey: string | undefined;
  /** Creates and lists organizations over HTTP, and nothing else; undefined: nobody does over HTTP. */
  readonly bootstrapKey: string | undefined;
  readonly roles: ReadonlySet<Role>;
  readonly clock: 'system' | 'manual';
  /** Where a manual clock starts that has not run yet. */
  readonly clockStart: Instant | undefined;
  readonly logLevel: string;
  /** Seals personal data; undefined: made and kept in `dataDir`. */
  readonly masterKey: string | undefined;
  /** Webhooks may be sent to private, loopback and link-local addresses. */
  readonly allowPrivateWebhooks: boolean;
  /** Limit of the cost of one organization's requests in a second, in this process; a simple read costs 1. */
  readonly rateLimit: number;
  /** Base of links in answers, without a slash at the end; undefined: the address at which the service was reached. */
  readonly publicUrl: string | undefined;
  /** Addresses, CIDR ranges, or loopback, linklocal, uniquelocal: whose `Host` and `X-Forwarded-…` are believed. */
  readonly trustedProxies: readonly string[];
  /** First part of the name of each organization's transparency log. */
  readonly auditOrigin: string;
  /** Seeds of the keys that sign checkpoints, in base64, the newest first; undefined: in a file. */
  readonly auditKeys: string | undefined;
  /** File with these seeds; undefined: made and kept in `dataDir`. */
  readonly auditKeysFile: string | undefined;
  /** Where each checkpoint is written as a file; undefined: nowhere. */
  readonly auditDirectory: string | undefined;
  /** Longest age of the newest checkpoint while there is something new. */
  readonly auditCheckpointMinutes: number;
  /** Witnesses that cosign checkpoints. */
  readonly auditWitnesses: readonly WitnessSetting[];
  /** Where each checkpoint is put as an object; undefined: nowhere. */
  readonly auditBucket: BucketSetting | undefined;
}

/** A bucket of an object store that speaks S3. */
export interface BucketSetting {
  /** URL of the bucket, or of a folder in it, without a slash at the end. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface WitnessSetting {
  /** Verifier key, name+id+base64. */
  readonly key: string;
  /** Submission prefix of the witness, without a slash at the end. */
  readonly url: string;
}

/** Injection token of the process's configuration. */
export const CONFIG = Symbol('Config');
