import { randomUUID } from 'node:crypto';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Recorded } from './log.js';
import { streamIdentifier, streams, uuid } from './wire.js';

/** Value for an unknown position. */
const NO_POSITION = (2n ** 64n - 1n).toString();
const TICKS_PER_MILLISECOND = 10_000n;

export function eventMessage(event: Recorded, withPosition: boolean): ReadResp {
  const position = withPosition ? event.position.toString() : NO_POSITION;
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(uuid(event.id));
  recorded.setStreamIdentifier(streamIdentifier(event.stream));
  recorded.setStreamRevision(event.revision.toString());
  recorded.setCommitPosition(position);
  recorded.setPreparePosition(position);
  const metadata = recorded.getMetadataMap();
  metadata.set('type', event.type);
  metadata.set('created', (BigInt(event.created) * TICKS_PER_MILLISECOND).toString());
  metadata.set('content-type', event.contentType);
  recorded.setCustomMetadata(event.metadata);
  recorded.setData(event.data);
  const read = new streams.ReadResp.ReadEvent();
  read.setEvent(recorded);
  read.setCommitPosition(position);
  return new streams.ReadResp().setEvent(read);
}

export function confirmationMessage(): ReadResp {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation();
  return new streams.ReadResp().setConfirmation(confirmation.setSubscriptionId(randomUUID()));
}

export const caughtUpMessage = (): ReadResp =>
  new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());

export function checkpointMessage(position: bigint): ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(position.toString());
  checkpoint.setPreparePosition(position.toString());
  return new streams.ReadResp().setCheckpoint(checkpoint);
}

export function streamNotFoundMessage(stream: string): ReadResp {
  const notFound = new streams.ReadResp.StreamNotFound();
  return new streams.ReadResp().setStreamNotFound(notFound.setStreamIdentifier(streamIdentifier(stream)));
}
