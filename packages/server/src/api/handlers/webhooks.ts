import { type ShownTrigger, sampleNotification, type TestEvent } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { interfaceAddresses } from '@waypost/platform/egress/socket'
import { newId } from '@waypost/platform/ids'
import type { Log } from '@waypost/platform/log'
import { listWebhooks, type WebhookRow } from '@waypost/store/tables/notifications/webhooks'
import type { Services } from '../../services/services.ts'
import { type ListenerTools, sendTestEvent, verifyListener } from '../../webhooks/delivery/challenge.ts'
import { healthOver } from '../../webhooks/delivery/delivery-log.ts'
import { explainSignature, type KnownSecret } from '../../webhooks/delivery/explain-signature.ts'
import {
  changeWebhook,
  checkDestinationLimit,
  checkWebhookUrl,
  createWebhook,
  eraseDestination,
  needDestination,
  needFreeUrl,
  needWebhook,
  rotateWebhookSecret,
  secretContext,
  urlToVerify,
  webhookOf,
} from '../../webhooks/destinations.ts'
import { testNotification, testSecret } from '../../webhooks/test-event.ts'
import { createSigner, type Signer } from '../../webhooks/transports/sign.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

/** Always the same, so that it can be compared. */
const sample = { id: '01955f0c-7f6a-7c42-9d1e-5b8a3c60f217', time: 1_739_223_251 }

/** Addresses that are valid beyond this machine and its link. */
const ownAddresses = (): string[] =>
  [...new Set(interfaceAddresses())].filter((address) => !/^(?:127\.|169\.254\.|::1$|fe80:)/i.test(address))

export const webhooks = (
  services: Pick<Services, 'config' | 'storage' | 'network' | 'runtime'>,
): Handlers['webhooks'] => {
  const { config } = services
  const { database, clock, secrets } = services.storage
  const { egress, exposure, addressMode } = services.network
  const { node } = services.runtime
  const toolsFor = ({ signal, log }: { signal: AbortSignal; log: Log }): ListenerTools => ({
    egress,
    clock,
    signal,
    aside:
      exposure.isExposed && addressMode() === 'private'
        ? (details) => log.info(details, 'a listener did not answer as it should')
        : undefined,
  })
  const ownWebhooks = async (applicationId: string): Promise<WebhookRow[]> =>
    (await listWebhooks(database, applicationId)).filter(({ transport }) => transport === 'webhook')
  const sign = createSigner({ current: testSecret }, config.signatureHeader)
  const show = (trigger: ShownTrigger, applicationId: string) =>
    sampleNotification(trigger, { ...sample, applicationId })
  const open = (row: WebhookRow, column: 'sealed_secret' | 'sealed_previous_secret', sealed: string): string =>
    secrets.open(sealed, secretContext(row, column))
  /** The secrets that may sign a delivery to a destination. */
  const secretsOf = (row: WebhookRow, of?: 'other'): KnownSecret[] => [
    { of: of ?? 'destination', secret: open(row, 'sealed_secret', row.sealed_secret) },
    ...(row.sealed_previous_secret === null || of
      ? []
      : [{ of: 'previous', secret: open(row, 'sealed_previous_secret', row.sealed_previous_secret) } as const]),
    ...(of ? [] : [{ of: 'test', secret: testSecret } as const]),
  ]
  /** The destination of a test event, and its secret. */
  const testTarget = async (
    applicationId: string,
    { webhook_url, webhook_id, secret }: TestEvent,
  ): Promise<{ url: string; signer: Signer }> => {
    if ((webhook_url === undefined) === (webhook_id === undefined)) {
      throw invalidField('webhook_url', 'give one of webhook_url and webhook_id')
    }
    if (webhook_id === undefined) {
      if (secret === 'destination') throw invalidField('secret', 'needs webhook_id: an address has no secret')
      return { url: webhook_url ?? '', signer: sign }
    }
    const row = await needWebhook(database, applicationId, webhook_id)
    const own = { current: open(row, 'sealed_secret', row.sealed_secret) }
    return {
      url: row.webhook_url,
      signer: secret === 'destination' ? createSigner(own, config.signatureHeader) : sign,
    }
  }
  const rotate: Handlers['webhooks']['rotateSecret'] = ({ application, params, write }) =>
    write((tx) =>
      rotateWebhookSecret(tx, { applicationId: application.id, id: params.id }, { secrets, now: clock.now() }),
    )
  return {
    list: async ({ application }) => (await ownWebhooks(application.id)).map(webhookOf),
    create: async (context) => {
      const { application, body, write } = context
      const url = checkWebhookUrl(egress, body.webhook_url)
      // Checked again in the transaction; here so that no receiver is called in vain.
      await needFreeUrl(database, application.id, body.webhook_url)
      await checkDestinationLimit(database, application.id)
      await verifyListener(url, toolsFor(context))
      return write((tx) => createWebhook(tx, application.id, body, { secrets, now: clock.now() }))
    },
    health: async ({ application, params, query }) => {
      const of = {
        applicationId: application.id,
        webhookId: (await needDestination(database, application.id, params.id)).id,
      }
      return healthOver(database, of, { hours: query.hours ?? 24, now: clock.now() })
    },
    mockPayload: ({ application, body }) => show(body.trigger_type, application.id),
    readMockPayload: ({ application, query }) => show(query.trigger_type, application.id),
    sendTestEvent: async (context) => {
      const { application, body: event } = context
      const { url: address, signer } = await testTarget(application.id, event)
      const url = checkWebhookUrl(egress, address)
      const facts = { id: newId(), time: seconds(clock.now()), applicationId: application.id }
      const { trigger_type: trigger, object, secret } = event
      const reported = testNotification({ trigger, object, asReal: secret === 'destination' }, facts)
      const body = Buffer.from(JSON.stringify(reported))
      const headers = signer({ id: facts.id, timestamp: facts.time, body })
      await sendTestEvent(url, { body, headers }, toolsFor(context))
      return 'success' as const
    },
    verifySignature: async ({ application, params, body }) => {
      const row = await needWebhook(database, application.id, params.id)
      if ((body.body === undefined) === (body.body_base64 === undefined)) {
        throw new ApiError('invalid_request', 'give one of body and body_base64')
      }
      const bytes = body.body === undefined ? Buffer.from(body.body_base64 ?? '', 'base64') : Buffer.from(body.body)
      const others = (await ownWebhooks(application.id)).filter(({ id }) => id !== row.id)
      return explainSignature(
        { headers: body.headers, body: bytes },
        {
          secrets: [...secretsOf(row), ...others.flatMap((each) => secretsOf(each, 'other'))],
          signatureHeader: config.signatureHeader,
          now: clock.now(),
        },
      )
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
        await eraseDestination(tx, { applicationId: application.id, id: params.id, transport: 'webhook' }, clock.now())
        return { status: 'success' as const }
      }),
  }
}
