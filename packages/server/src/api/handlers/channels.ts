/** The routes of channels: the same for each transport. */

import type { Log } from '@waypost/platform/log'
import type { Queries } from '@waypost/store/engine/database'
import {
  channelsKnownSince,
  keepOlderNodesAway,
  noteWhetherChannels,
} from '@waypost/store/tables/notifications/channel-versions'
import { listWebhooks } from '@waypost/store/tables/notifications/webhooks'
import { needNodesSince } from '../../applications/newer-nodes.ts'
import type { Services } from '../../services/services.ts'
import {
  type ChannelPlace,
  changeChannel,
  channelOf,
  checkChannelLimit,
  createChannel,
  isToBeVerified,
  placeAfter,
  placeOfDraft,
  usedCredentials,
} from '../../webhooks/channels/channels.ts'
import type { ChannelChanges, ChannelDrafts } from '../../webhooks/channels/forms.ts'
import { verifyChannel } from '../../webhooks/channels/verify-channel.ts'
import { eraseDestination, needOf, triggersOf } from '../../webhooks/destinations.ts'
import type { ChannelTransport } from '../../webhooks/transports/channel-settings.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

/** What the handlers use of a request. */
interface ChannelRequest {
  application: { id: string }
  signal: AbortSignal
  log: Log
}
interface ChannelEdit<A> extends ChannelRequest {
  write<T extends A>(work: (tx: Queries) => Promise<T>): Promise<T>
}
interface ChannelAddress {
  params: { channel_id: string }
}

type ChannelServices = Pick<Services, 'config' | 'storage' | 'network' | 'notifications'>

function channelHandlers<T extends ChannelTransport>(services: ChannelServices, transport: T) {
  const { config } = services
  const { database, clock, secrets } = services.storage
  const { egress, exposure, addressMode } = services.network
  const { channelOptions } = services.notifications
  type ShownChannel = ReturnType<typeof channelOf<T>>

  /** Asks the broker with the credentials that would be used. */
  const verify = (
    place: ChannelPlace<T>,
    types: readonly string[],
    { application, signal, log }: ChannelRequest,
  ): Promise<void> =>
    verifyChannel(
      transport,
      { ...place, credentials: usedCredentials(transport, place.credentials, channelOptions.credentials) },
      {
        egress,
        clock,
        log,
        signal,
        signatureHeader: config.signatureHeader,
        endpoints: channelOptions.endpoints,
        applicationId: application.id,
        types,
        aside:
          exposure.isExposed && addressMode() === 'private'
            ? (details) => log.info(details, 'a broker did not answer as it should')
            : undefined,
      },
    )

  /** Older nodes write notifications without deliveries to channels, so they would be missed. */
  const needNewNodes = (): Promise<void> =>
    needNodesSince(database, channelsKnownSince, { what: 'channels can be created', now: clock.now() })

  return {
    list: async ({ application }: ChannelRequest) =>
      (await listWebhooks(database, application.id))
        .filter((row) => row.transport === transport)
        .map((row) => channelOf<T>(row, secrets)),
    create: async (context: ChannelEdit<ShownChannel> & { body: ChannelDrafts[T] }) => {
      const { application, body: draft, write } = context
      const place = placeOfDraft(transport, draft)
      await needNewNodes()
      // Checked again in the transaction; here so that no broker is asked in vain.
      await checkChannelLimit(database, application.id, transport)
      await verify(place, draft.trigger_types, context)
      const created = { applicationId: application.id, transport, draft }
      // An older node that starts now sees this, or is seen by the second look.
      await keepOlderNodesAway(database)
      await needNewNodes()
      return write((tx) => createChannel(tx, created, place, { secrets, now: clock.now() }))
    },
    get: async ({ application, params }: ChannelRequest & ChannelAddress) =>
      channelOf<T>(
        await needOf(database, { applicationId: application.id, id: params.channel_id, transport }),
        secrets,
      ),
    update: async (context: ChannelEdit<ShownChannel> & ChannelAddress & { body: ChannelChanges[T] }) => {
      const { application, params, body: change, write } = context
      const at = { applicationId: application.id, id: params.channel_id, transport }
      const seen = await needOf(database, at)
      const place = placeAfter(transport, seen, change, secrets)
      const types = change.trigger_types ?? triggersOf(seen)
      if (isToBeVerified(seen, place, { change, secrets })) await verify(place, types, context)
      return write((tx) => changeChannel(tx, at, { change, place, seen }, { secrets, now: clock.now() }))
    },
    delete: async ({ application, params, log, write }: ChannelEdit<{ status: 'success' }> & ChannelAddress) => {
      const deleted = await write(async (tx) => {
        await eraseDestination(tx, { applicationId: application.id, id: params.channel_id, transport }, clock.now())
        return { status: 'success' as const }
      })
      // The next start of a node repeats it.
      await noteWhetherChannels(database).catch((error) => log.warn({ error }, 'older nodes are still refused'))
      return deleted
    },
  }
}

export const channels = (
  services: ChannelServices,
): Pick<Handlers, 'pubsubChannels' | 'snsChannels' | 'natsChannels' | 'amqpChannels'> => ({
  pubsubChannels: channelHandlers(services, 'pubsub'),
  snsChannels: channelHandlers(services, 'sns'),
  natsChannels: channelHandlers(services, 'nats'),
  amqpChannels: channelHandlers(services, 'amqp'),
})
