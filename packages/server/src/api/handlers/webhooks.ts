import { type ShownTrigger, sampleNotification } from '@waypost/contract'
import { seconds } from '../../lib/clock.ts'
import { interfaceAddresses } from '../../lib/egress-socket.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Services } from '../../services/services.ts'
import { listWebhooks } from '../../store/webhooks.ts'
import { type ListenerTools, sendTestEvent, verifyListener } from '../../webhooks/challenge.ts'
import { healthOver } from '../../webhooks/delivery-log.ts'
import {
  changeWebhook,
  checkDestinationLimit,
  checkWebhookUrl,
  createWebhook,
  eraseWebhook,
  needFreeUrl,
  needWebhook,
  rotateWebhookSecret,
  urlToVerify,
  webhookOf,
} from '../../webhooks/destinations.ts'
import { createSigner } from '../../webhooks/sign.ts'
import type { Handlers } from '../context.ts'

/** No delivery that tells the truth is signed with this: the contract publishes it. */
const testSecret = 'mock-webhook-secret'

/** Always the same, so that it can be compared. */
const sample = { id: '01955f0c-7f6a-7c42-9d1e-5b8a3c60f217', time: 1_739_223_251 }

/** Addresses that mean something beyond this machine and its link. */
const ownAddresses = (): string[] =>
  [...new Set(interfaceAddresses())].filter((address) => !/^(?:127\.|169\.254\.|::1$|fe80:)/i.test(address))

export const webhooks = (services: Services): Handlers['webhooks'] => {
  const { database, clock, secrets, egress, config, node, exposure, addressMode } = services
  const toolsFor = ({ signal, log }: { signal: AbortSignal; log: Log }): ListenerTools => ({
    egress,
    clock,
    signal,
    aside:
      exposure.isExposed && addressMode() === 'private'
        ? (details) => log.info(details, 'a listener did not answer as it should')
        : undefined,
  })
  const sign = createSigner({ current: testSecret }, config.signatureHeader)
  const show = (trigger: ShownTrigger, applicationId: string) =>
    sampleNotification(trigger, { ...sample, applicationId })
  const rotate: Handlers['webhooks']['rotateSecret'] = ({ application, params, write }) =>
    write((tx) =>
      rotateWebhookSecret(tx, { applicationId: application.id, id: params.id }, { secrets, now: clock.now() }),
    )
  return {
    list: async ({ application }) => (await listWebhooks(database, application.id)).map(webhookOf),
    create: async (context) => {
      const { application, body, write } = context
      const url = checkWebhookUrl(egress, body.webhook_url)
      // Asked again in the transaction; here so that nobody is called in vain.
      await needFreeUrl(database, application.id, body.webhook_url)
      await checkDestinationLimit(database, application.id)
      await verifyListener(url, toolsFor(context))
      return write((tx) => createWebhook(tx, application.id, body, { secrets, now: clock.now() }))
    },
    health: async ({ application, params, query }) => {
      const of = {
        applicationId: application.id,
        webhookId: (await needWebhook(database, application.id, params.id)).id,
      }
      return healthOver(database, of, { hours: query.hours ?? 24, now: clock.now() })
    },
    mockPayload: ({ application, body }) => show(body.trigger_type, application.id),
    readMockPayload: ({ application, query }) => show(query.trigger_type, application.id),
    sendTestEvent: async (context) => {
      const { application } = context
      const { trigger_type, webhook_url } = context.body
      const url = checkWebhookUrl(egress, webhook_url)
      const facts = { id: newId(), time: seconds(clock.now()), applicationId: application.id }
      const body = Buffer.from(JSON.stringify(sampleNotification(trigger_type, facts)))
      const headers = sign({ id: facts.id, timestamp: facts.time, body })
      await sendTestEvent(url, { body, headers }, toolsFor(context))
      return 'success' as const
    },
    ipAddresses: () => ({
      ip_addresses: [...(config.egressAddresses ?? ownAddresses())],
      updated_at: seconds(node.startedAt),
    }),
    rotateSecret: rotate,
    putRotateSecret: rotate,
    get: async ({ application, params }) => webhookOf(await needWebhook(database, application.id, params.id)),
    update: async (context) => {
      const { application, params, body, write } = context
      const row = await needWebhook(database, application.id, params.id)
      const verified = urlToVerify(row, body)
      if (verified !== undefined) {
        const url = checkWebhookUrl(egress, verified)
        await needFreeUrl(database, application.id, verified, row.id)
        await verifyListener(url, toolsFor(context))
      }
      const at = { applicationId: application.id, id: row.id }
      return write((tx) => changeWebhook(tx, at, { change: body, verified }, clock.now()))
    },
    delete: ({ application, params, write }) =>
      write(async (tx) => {
        await eraseWebhook(tx, application.id, params.id, clock.now())
        return { status: 'success' as const }
      }),
  }
}
