import { readFileSync } from 'node:fs';
import type { BucketSetting, Config, WitnessSetting } from './config.js';
import { isBaseUrl, type Settings } from './settings.js';
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
export function readAudit(settings: Settings): AuditConfig {
  const auditOrigin = settings.text('AUDIT_ORIGIN') ?? 'recount';
  if (!/^[^\s+\p{Cc}]{1,200}$/u.test(auditOrigin)) {
    settings.addError('AUDIT_ORIGIN must be a name without blanks and +, such as logs.example.com/recount.');
  }
  return {
    auditOrigin,
    ...readSigningKeys(settings),
    auditDirectory: settings.text('AUDIT_DIRECTORY'),
    auditCheckpointMinutes: settings.count('AUDIT_CHECKPOINT_MINUTES', 60, 'a whole number'),
    auditWitnesses: readWitnesses(settings),
    auditBucket: readBucket(settings),
  };
}

/** A file that cannot be read is a lost key, with which the service starts (docs/operating.md#checkpoints). */
function readSigningKeys(settings: Settings): Pick<AuditConfig, 'auditKeys' | 'auditKeysFile'> {
  const auditKeys = settings.text('AUDIT_KEYS');
  const auditKeysFile = settings.text('AUDIT_KEYS_FILE');
  if (auditKeys !== undefined && auditKeysFile !== undefined) {
    settings.addError('AUDIT_KEYS_FILE is for seeds that AUDIT_KEYS does not have: unset one of them.');
  }
  if (auditKeys !== undefined && !parseSeeds(auditKeys))
    settings.addError(`AUDIT_KEYS must be ${SEEDS_RULE}.`);
  const stored = auditKeysFile === undefined ? undefined : textOfFile(auditKeysFile);
  if (stored !== undefined && !parseSeeds(stored)) {
    settings.addError(
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

function readBucket(settings: Settings): BucketSetting | undefined {
  const url = settings.base('AUDIT_BUCKET');
  const accessKeyId = settings.text('AUDIT_BUCKET_ACCESS_KEY');
  const secretAccessKey = settings.text('AUDIT_BUCKET_SECRET_KEY');
  if (url === undefined) return undefined;
  if (!isBaseUrl(url)) {
    settings.addError(
      `AUDIT_BUCKET must be the URL of a bucket such as https://s3.eu-central-1.amazonaws.com/my-bucket, not "${url}".`,
    );
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    return settings.addError('AUDIT_BUCKET needs AUDIT_BUCKET_ACCESS_KEY and AUDIT_BUCKET_SECRET_KEY.');
  }
  return { url, region: settings.text('AUDIT_BUCKET_REGION') ?? 'us-east-1', accessKeyId, secretAccessKey };
}

function readWitnesses(settings: Settings): readonly WitnessSetting[] {
  const parts = (settings.text('AUDIT_WITNESSES') ?? '').split(/[\s,]+/).filter((part) => part !== '');
  const witnesses = parts.flatMap((key, index) =>
    index % 2 === 0 ? [{ key, url: (parts[index + 1] ?? '').replace(/\/+$/, '') }] : [],
  );
  const isRight = witnesses.every(
    ({ key, url }) => /^[^+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+={0,2}$/.test(key) && isBaseUrl(url),
  );
  const names = new Set(witnesses.map(({ key }) => key));
  if (!isRight || names.size < witnesses.length || witnesses.length > MAX_WITNESSES) {
    settings.addError(
      `AUDIT_WITNESSES must be 1 to ${MAX_WITNESSES} different witnesses, each a verifier key and a URL, such as ` +
        'witness.example/w1+da77ade7+BOvN63jn… https://witness.example.',
    );
  }
  return witnesses;
}
