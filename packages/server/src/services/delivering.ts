/** Delivery of notifications to webhooks and channels. */
import type { Config, ConfigSecrets } from '../config.ts'
import { createDeliverer, type Deliverer, type DelivererOptions } from '../webhooks/leases/deliverer.ts'
import type { ChannelOptions } from '../webhooks/transports/credentials.ts'
import type { Storage } from './storage.ts'

/** What the operator set for channels. */
export const channelOptionsOf = (config: Config, { channels }: ConfigSecrets): ChannelOptions => ({
  endpoints: config.channelEndpoints,
  credentials: channels,
})

type Rest = Omit<
  DelivererOptions,
  'database' | 'clock' | 'log' | 'secrets' | 'payloads' | 'signatureHeader' | 'maxRest'
>

export function openDeliverer(
  { database, clock, log, secrets, payloads, signals }: Storage,
  { signatureHeader }: Config,
  rest: Rest,
): Deliverer {
  return createDeliverer({
    ...{ database, clock, log, secrets, payloads, signatureHeader, maxRest: signals.maxRest },
    ...rest,
  })
}
