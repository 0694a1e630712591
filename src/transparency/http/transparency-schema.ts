import {
  integer,
  listOf,
  named,
  noted,
  nullable,
  object,
  oneOf,
  text,
} from '../../platform/http/openapi/schema.js';

const HASH = { minLength: 44, maxLength: 44 };
const described = (description: string) => ({ description });

export const CHECKPOINT = named(
  'Checkpoint',
  object({
    checkpoint_id: noted(text({ format: 'uuid' }), described('Id of the checkpoint.')),
    number: noted(integer({ minimum: 1 }), described('1, 2, 3 … in the organization.')),
    origin: noted(text(), described('Name of the log: the first line of the note.')),
    size: noted(integer({ minimum: 0 }), described('Number of leaves of the tree.')),
    root: noted(text(HASH), described('Root hash of the tree in base64.')),
    cause: noted(
      oneOf(['schedule', 'billing', 'request']),
      described('Why it was made: the schedule, the end of billing runs, or a request.'),
    ),
    created_at: noted(text({ format: 'date-time' }), described('When it was made.')),
    note: noted(
      text(),
      described(
        'The signed note with its cosignatures, in the formats C2SP tlog-checkpoint and tlog-cosignature.',
      ),
    ),
    cosignatures: noted(
      listOf(
        object({
          witness: noted(text(), described('Name of the witness: that of its key.')),
          key_id: noted(
            text({ pattern: '^[0-9a-f]{8}$' }),
            described('Id of its key in the note, in hexadecimal digits.'),
          ),
          cosigned_at: noted(
            text({ format: 'date-time' }),
            described('Time of the witness, at which it knew no larger tree.'),
          ),
        }),
      ),
      described('Witnesses that have cosigned it, in the order in which their cosignatures were added.'),
    ),
  }),
);

export const SIGNING_KEY = named(
  'SigningKey',
  object({
    name: noted(text(), described('Name of the key: the origin of the log of the organization.')),
    key_id: noted(
      text({ pattern: '^[0-9a-f]{8}$' }),
      described('Id of the key in signatures, in hexadecimal digits.'),
    ),
    algorithm: noted(oneOf(['ed25519']), described('Algorithm of its signatures.')),
    public_key: noted(text(HASH), described('The 32 bytes of the public key in base64.')),
    verifier_key: noted(text(), described('The key as verifiers of C2SP signed notes take it.')),
    status: noted(
      oneOf(['current', 'overlapping', 'retired']),
      described(
        'Whether it signs now as the newest key, signs beside it, or has signed earlier checkpoints only.',
      ),
    ),
    first_used_at: noted(
      text({ format: 'date-time' }),
      described(
        'Wall time of the first start of the service with it; it can be older than the organization.',
      ),
    ),
    last_used_at: noted(
      nullable(text({ format: 'date-time' })),
      described(
        'Wall time of the newest start of the service with it. As of a moment it is the newest by the wall time until then, which a manual clock differs from.',
      ),
    ),
  }),
);

export const CONSISTENCY = named(
  'ConsistencyProof',
  object({
    from: noted(integer({ minimum: 0 }), described('Size of the earlier tree.')),
    to: noted(integer({ minimum: 0 }), described('Size of the later tree.')),
    from_root: noted(text(HASH), described('Root hash of the earlier tree in base64.')),
    to_root: noted(text(HASH), described('Root hash of the later tree in base64.')),
    hashes: noted(
      listOf(text(HASH)),
      described('The proof of RFC 9162: hashes in base64. Empty for equal sizes and for size 0.'),
    ),
  }),
);
