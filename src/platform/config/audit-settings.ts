import { readFileSync } from 'node:fs';
import type { BucketSetting, Config, WitnessSetting } from './config.js';
import { isBaseUrl, type EnvironmentReader } from './environment-reader.js';
import { parseSeeds, SEEDS_RULE } from './signing-seeds.js';

/** Limit of witnesses: with the service's own signatures a note has at most 16, which every verifier accepts. */
const MAX_WITNESSES = 12;

type AuditConfig = Pick<
  Config,
  | 'auditOrigin'
  | 'auditKeys'
  | 'auditKeysFile'
  | 'auditDirectory'
  | 'auditCheckpointMinutes'
  | 'auditWitnesses'
  | 'auditBucket'
>;

/** Reads the settings of the transparency log (docs/operating.md#settings). */
export function readAudit(environment: EnvironmentReader): AuditConfig {
  const auditOrigin = environment.text('AUDIT_ORIGIN') ?? 'recount';
  if (!/^[^\s+\p{Cc}]{1,200}$/u.test(auditOrigin)) {
    environment.addError(
      'AUDIT_ORIGIN must be a name without blanks and +, such as logs.example.com/recount.',
    );
  }
  return {
    auditOrigin,
    ...readSigningKeys(environment),
    auditDirectory: environment.text('AUDIT_DIRECTORY'),
    auditCheckpointMinutes: environment.count('AUDIT_CHECKPOINT_MINUTES', 60, 'a whole number'),
    auditWitnesses: readWitnesses(environment),
    auditBucket: readBucket(environment),
  };
}

/** A file that cannot be read is a lost key, with which the service starts (docs/operating.md#checkpoints). */
function readSigningKeys(environment: EnvironmentReader): Pick<AuditConfig, 'auditKeys' | 'auditKeysFile'> {
  const auditKeys = environment.text('AUDIT_KEYS');
  const auditKeysFile = environment.text('AUDIT_KEYS_FILE');
  if (auditKeys !== undefined && auditKeysFile !== undefined) {
    environment.addError('AUDIT_KEYS_FILE is for seeds that AUDIT_KEYS does not have: unset one of them.');
  }
  if (auditKeys !== undefined && !parseSeeds(auditKeys))
    environment.addError(`AUDIT_KEYS must be ${SEEDS_RULE}.`);
  const stored = auditKeysFile === undefined ? undefined : textOfFile(auditKeysFile);
  if (stored !== undefined && !parseSeeds(stored)) {
    environment.addError(
      `AUDIT_KEYS_FILE must name a file with ${SEEDS_RULE}; ${auditKeysFile} has other text.`,
    );
  }
  return { auditKeys, auditKeysFile };
}

function textOfFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function readBucket(environment: EnvironmentReader): BucketSetting | undefined {
  const url = environment.base('AUDIT_BUCKET');
  const accessKeyId = environment.text('AUDIT_BUCKET_ACCESS_KEY');
  const secretAccessKey = environment.text('AUDIT_BUCKET_SECRET_KEY');
  if (url === undefined) return undefined;
  if (!isBaseUrl(url)) {
    environment.addError(
      `AUDIT_BUCKET must be the URL of a bucket such as https://s3.eu-central-1.amazonaws.com/my-bucket, not "${url}".`,
    );
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    return environment.addError('AUDIT_BUCKET needs AUDIT_BUCKET_ACCESS_KEY and AUDIT_BUCKET_SECRET_KEY.');
  }
  return {
    url,
    region: environment.text('AUDIT_BUCKET_REGION') ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
  };
}

function readWitnesses(environment: EnvironmentReader): readonly WitnessSetting[] {
  const parts = (environment.text('AUDIT_WITNESSES') ?? '').split(/[\s,]+/).filter((part) => part !== '');
  const witnesses = parts.flatMap((key, index) =>
    index % 2 === 0 ? [{ key, url: (parts[index + 1] ?? '').replace(/\/+$/, '') }] : [],
  );
  const isRight = witnesses.every(
    ({ key, url }) => /^[^+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+={0,2}$/.test(key) && isBaseUrl(url),
  );
  const names = new Set(witnesses.map(({ key }) => key));
  if (!isRight || names.size < witnesses.length || witnesses.length > MAX_WITNESSES) {
    environment.addError(
      `AUDIT_WITNESSES must be 1 to ${MAX_WITNESSES} different witnesses, each a verifier key and a URL, such as ` +
        'witness.example/w1+da77ade7+BOvN63jn… https://witness.example.',
    );
  }
  return witnesses;
}
