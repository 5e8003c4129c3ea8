/** Destinations of any transport, for commands. */

import type { Queries } from '@waypost/store/engine/database'
import type { WebhookRow } from '@waypost/store/tables/notifications/webhooks'
import type { BuiltServices } from '../services/services.ts'
import { changeChannel, channelOf, placeAfter, settingsOf, usedCredentials } from '../webhooks/channels/channels.ts'
import { channelForms } from '../webhooks/channels/forms.ts'
import { verifyChannel } from '../webhooks/channels/verify-channel.ts'
import { verifyListener } from '../webhooks/delivery/challenge.ts'
import { changeWebhook, checkWebhookUrl, triggersOf, webhookOf } from '../webhooks/destinations.ts'
import type { ChannelTransport } from '../webhooks/transports/channel-settings.ts'
import { isChannelTransport } from '../webhooks/transports/transports.ts'
import { audited } from './audit.ts'

/** The fields that the API shows, and a short text that says where it is. */
export function shownDestination({ storage: { secrets } }: Pick<BuiltServices, 'storage'>, row: WebhookRow) {
  const { transport } = row
  if (!isChannelTransport(transport)) {
    return { address: row.webhook_url, fields: { transport: 'webhook', ...webhookOf(row) } }
  }
  return { address: addressOf(transport, row), fields: { transport, ...channelOf(row, secrets) } }
}

const addressOf = <T extends ChannelTransport>(transport: T, row: WebhookRow): string =>
  channelForms[transport].address(settingsOf<T>(row))

/** Asks the receiver or the broker whether it takes notifications. */
export async function verifyDestination(services: BuiltServices, row: WebhookRow): Promise<void> {
  const { egress } = services.network
  const { clock } = services.storage
  const { stopping: signal } = services.runtime
  const { transport, webhook_url: url } = row
  if (isChannelTransport(transport)) await verifyBroker(services, transport, row)
  else await verifyListener(checkWebhookUrl(egress, url), { egress, clock, signal })
}

async function verifyBroker<T extends ChannelTransport>(services: BuiltServices, transport: T, row: WebhookRow) {
  const { config } = services
  const { egress } = services.network
  const { clock, log, secrets } = services.storage
  const { channelOptions } = services.notifications
  const { stopping: signal } = services.runtime
  const place = placeAfter(transport, row, {}, secrets)
  const credentials = usedCredentials(transport, place.credentials, channelOptions.credentials)
  const { endpoints } = channelOptions
  await verifyChannel(
    transport,
    { settings: place.settings, credentials },
    {
      egress,
      clock,
      log,
      signal,
      endpoints,
      signatureHeader: config.signatureHeader,
      applicationId: row.application_id,
      types: triggersOf(row),
    },
  )
}

/** Pauses a destination, or activates one that was verified. */
export async function setStatus(services: BuiltServices, row: WebhookRow, status: 'active' | 'pause') {
  const { application_id: applicationId, id, transport } = row
  const routes = isChannelTransport(transport) ? `${transport}Channels` : 'webhooks'
  return audited(services, { action: `${routes}.update`, applicationId, target: id }, async (tx, now) => {
    if (isChannelTransport(transport)) return setChannelStatus(tx, services, { transport, row, status })
    const how = { change: { status }, verified: status === 'active' ? row.webhook_url : undefined }
    const fields = await changeWebhook(tx, { applicationId, id }, how, now)
    return { address: fields.webhook_url, fields }
  })
}

async function setChannelStatus<T extends ChannelTransport>(
  tx: Queries,
  { storage: { secrets, clock } }: BuiltServices,
  { transport, row, status }: { transport: T; row: WebhookRow; status: 'active' | 'pause' },
) {
  const how = { change: { status }, place: placeAfter(transport, row, {}, secrets), seen: row }
  const at = { applicationId: row.application_id, id: row.id, transport }
  const fields = await changeChannel(tx, at, how, { secrets, now: clock.now() })
  return { address: addressOf(transport, row), fields }
}
