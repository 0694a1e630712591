import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { ConfigError } from '../../platform/config/environment-reader.js';
import { parseWitnessKey } from '../domain/cosignature.js';
import { MalformedText, type NoteKey } from '../domain/note.js';
import { sha256 } from '../sha256.js';

export interface Witness {
  /** Name and id of its key. */
  readonly id: string;
  readonly key: NoteKey;
  /** URL for requests of cosignatures, without a slash at the end. */
  readonly url: string;
}

/** Witnesses of the setting `AUDIT_WITNESSES`. */
@Injectable()
export class Witnesses {
  readonly all: readonly Witness[];

  /** @throws ConfigError for an invalid key */
  constructor(@Inject(CONFIG) { auditWitnesses }: Config) {
    this.all = auditWitnesses.map(({ key: text, url }) => {
      try {
        const key = parseWitnessKey(sha256, text);
        return { id: `${key.name}+${key.id}`, key, url };
      } catch (error) {
        if (!(error instanceof MalformedText)) throw error;
        throw new ConfigError([`AUDIT_WITNESSES has ${text}: ${error.message}.`]);
      }
    });
  }
}
