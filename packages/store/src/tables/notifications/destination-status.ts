import { WebhookStatus } from '@waypost/contract'

/**
 * The status of a destination in the store. Channels have a prefix: nodes of 1.2.0, which may run on the same store
 * during an upgrade or after a step back, know only webhooks. They serve the statuses `active` and `failing`, and would
 * post to a channel until its deliveries are given up. A status that they do not know keeps them away. Only this file
 * knows the prefix.
 */
const prefix = 'channel_'

// `case transport when 'webhook'` would not do: Citus sends it to a worker as `when (transport = 'webhook')`.
const isWebhook = `transport = 'webhook'`

/** Reads the status, without the prefix. */
export const statusRead = `case when ${isWebhook} then status else substr(status, ${prefix.length + 1}) end as status`

/** Writes the status from the place of a parameter, with the prefix for channels. */
export const statusWritten = (place: string): string =>
  `case when ${isWebhook} then cast(${place} as text) else '${prefix}' || cast(${place} as text) end`

/** The status of a new row. */
export const storedStatus = ({ transport, status }: { transport: string; status: string }): string =>
  transport === 'webhook' ? status : prefix + status

/** The statuses of webhooks and channels that mean the same, as a list. */
export const storedStatuses = (...statuses: readonly string[]): string =>
  `(${statuses.flatMap((status) => [`'${status}'`, `'${prefix}${status}'`]).join(', ')})`

/** The statuses of destinations that deliveries are queued for and sent to. */
export const servedStatuses = storedStatuses('active', 'failing')

/** All statuses that the row of a channel may have, as a list. */
export const channelStatuses = `(${WebhookStatus.options.map((status) => `'${prefix}${status}'`).join(', ')})`
