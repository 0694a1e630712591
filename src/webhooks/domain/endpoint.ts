import { assertNever, type IssuedCommand } from '../../kernel/decider.js';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { RecordedEndpoint, WebhookEvent } from './events.js';

/** Undefined before the endpoint was recorded; null after it was removed. */
type EndpointState = RecordedEndpoint | null | undefined;

type EndpointCommand =
  | { readonly type: 'CreateEndpoint'; readonly endpoint: RecordedEndpoint; readonly takenIn?: true }
  | { readonly type: 'RemoveEndpoint' };

function decide(command: IssuedCommand<EndpointCommand>, state: EndpointState): readonly WebhookEvent[] {
  switch (command.type) {
    case 'CreateEndpoint': {
      const { endpoint, takenIn } = command;
      if (state !== undefined) return [];
      return [{ type: 'WebhookEndpointCreated', data: { ...endpoint, ...(takenIn && { takenIn }) } }];
    }
    case 'RemoveEndpoint':
      if (!state) throw unknownWebhook();
      return [{ type: 'WebhookEndpointRemoved', data: { endpointId: state.endpointId } }];
    default:
      return assertNever(command);
  }
}

function evolve(_: EndpointState, event: WebhookEvent): EndpointState {
  switch (event.type) {
    case 'WebhookEndpointCreated': {
      const { takenIn: _takenIn, ...endpoint } = event.data;
      return endpoint;
    }
    case 'WebhookEndpointRemoved':
      return null;
    default:
      return assertNever(event);
  }
}

export const unknownWebhook = (): DomainError => new DomainError('not_found', unknownId('webhook'));

/** Id of the stream of an endpoint, `organization-{org}.webhook.{id}`. */
export const endpointStreamId = (endpointId: Uuid): string => `webhook.${endpointId}`;

export const webhookEndpointDecider = {
  category: 'organization' as const,
  initial: (): EndpointState => undefined,
  decide,
  evolve,
};
