/** Ports of this machine that the demo uses. */
interface DemoPorts {
  readonly service: number;
  /** Takes the webhooks of the showcase. */
  readonly webhooks: number;
}

const USUAL = 3000;
const LAST = 65_535;

/**
 * Chooses the port of the service, and the next one for webhooks; beside the last one it is the one before.
 * @param setting `PORT`, which may be absent or empty
 * @throws Error with a sentence where no service can be asked
 */
export function portsOf(setting: string | undefined): DemoPorts {
  const text = setting?.trim() ?? '';
  const service = text === '' ? USUAL : Number(text);
  if (!Number.isInteger(service) || service < 1 || service > LAST)
    throw new Error(`PORT must be a whole number from 1 to ${LAST}, not "${text}".`);
  return { service, webhooks: service < LAST ? service + 1 : service - 1 };
}
