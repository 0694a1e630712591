import type { Instant } from '../../kernel/instant.js';

export type Role = 'api' | 'projections' | 'scheduler';

/** Limit of characters below which a key can be guessed: a shorter key is refused at the start and in every request. */
export const SHORTEST_KEY = 32;

/** The settings of the environment (docs/operating.md#settings), validated and complete. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Port of liveness, readiness and metrics, without a key; undefined for none. */
  readonly managementPort: number | undefined;
  /** URL of PostgreSQL; undefined for an embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Port of the embedded PostgreSQL; undefined for a free port at each start. */
  readonly embeddedPort?: number | undefined;
  /** Password of the login `recount_reader` of the embedded PostgreSQL; undefined for no such login. */
  readonly embeddedReaderPassword?: string | undefined;
  /** URL of EventStoreDB; undefined for the Postgres event store. */
  readonly eventStoreUrl: string | undefined;
  readonly dataDir: string;
  /** Admin key of the first organization; undefined: the first start creates one. */
  readonly apiKey: string | undefined;
  /** Key that may only create and list organizations; undefined: neither is possible over HTTP. */
  readonly bootstrapKey: string | undefined;
  readonly roles: ReadonlySet<Role>;
  readonly clock: 'system' | 'manual';
  /** First time of a manual clock. */
  readonly clockStart: Instant | undefined;
  readonly logLevel: string;
  /** Key that seals personal data; undefined: the service creates one in `dataDir`. */
  readonly masterKey: string | undefined;
  /** True if webhooks may be sent to private, loopback and link-local addresses. */
  readonly allowPrivateWebhooks: boolean;
  /** Limit of the cost of one organization's requests in a second, in this process; a simple read costs 1. */
  readonly rateLimit: number;
  /** Base of links in answers, without a slash at the end; undefined for the address of the request. */
  readonly publicUrl: string | undefined;
  /** Addresses, CIDR ranges, or loopback, linklocal, uniquelocal, whose `Host` and `X-Forwarded-…` are trusted. */
  readonly trustedProxies: readonly string[];
  /** First part of the name of each organization's transparency log. */
  readonly auditOrigin: string;
  /** Seeds of the keys that sign checkpoints, in base64, the newest first; undefined: a file has them. */
  readonly auditKeys: string | undefined;
  /** File with the seeds; undefined: the service creates one in `dataDir`. */
  readonly auditKeysFile: string | undefined;
  /** Folder in which each checkpoint is written as a file; undefined for none. */
  readonly auditDirectory: string | undefined;
  /** Longest age of the newest checkpoint while the log grows. */
  readonly auditCheckpointMinutes: number;
  /** Witnesses that cosign checkpoints. */
  readonly auditWitnesses: readonly WitnessSetting[];
  /** Bucket in which each checkpoint is stored as an object; undefined for none. */
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
