/**
 * Stored credentials are sent only to the place that they were given for: channels of every kind, and settings of
 * accounts and connectors.
 */
import { providerKinds } from '@waypost/contract'
import { getWebhook } from '@waypost/store/tables/notifications/webhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseSettings } from '../../src/applications/connectors.ts'
import { settingsOf } from '../../src/webhooks/channels/channels.ts'
import type { ChannelTransport } from '../../src/webhooks/transports/channel-settings.ts'
import { transports } from '../../src/webhooks/transports/transports.ts'
import { openService, type TestService } from '../harness.ts'
import { channelDrafts, storeChannel } from './stored-channel.ts'

/** Changes of the place without new credentials, for the channels in `channelDrafts`. */
const moves: Record<ChannelTransport, { field: string; elsewhere: object[]; same: object[] }> = {
  pubsub: {
    field: 'credentials',
    elsewhere: [{ topic: 'projects/other-project/topics/waypost' }],
    same: [{ topic: 'projects/my-project/topics/other' }],
  },
  sns: {
    field: 'access_key_id',
    elsewhere: [
      { topic: 'arn:aws:sns:us-east-1:123456789012:waypost' },
      { topic: 'arn:aws-cn:sns:eu-west-1:123456789012:waypost' },
      { topic: 'arn:aws:sns:eu-west-1:999999999999:waypost' },
      { role_arn: 'arn:aws:iam::999999999999:role/other' },
    ],
    same: [{ topic: 'arn:aws:sns:eu-west-1:123456789012:other.fifo' }],
  },
  nats: {
    field: 'token',
    elsewhere: [
      { servers: ['nats://127.0.0.2:9'] },
      { servers: ['nats://127.0.0.1:10'] },
      { servers: ['nats://127.0.0.1'] },
      { servers: ['tls://127.0.0.1:9'] },
      { servers: ['nats://127.0.0.1:9', 'nats://127.0.0.1:10'] },
      { servers: ['nats://127.0.0.1.attacker.test:9'], subject: 'other' },
      { servers: ['nats://[::1]:9'], status: 'active' },
    ],
    same: [{ servers: ['nats://127.0.0.1:09'] }, { subject: 'other' }],
  },
  amqp: {
    field: 'username',
    elsewhere: [
      { url: 'amqp://127.0.0.2:9/' },
      { url: 'amqp://127.0.0.1:10/' },
      { url: 'amqp://127.0.0.1/' },
      { url: 'amqps://127.0.0.1:9/' },
      { url: 'amqp://:@attacker.test:9/', routing_key: 'other' },
    ],
    same: [{ url: 'amqp://127.0.0.1:09/other' }, { routing_key: 'other' }],
  },
}

describe('a channel', () => {
  let service: TestService
  beforeAll(async () => {
    const nobody = 'http://127.0.0.1:9'
    service = await openService({ env: { WAYPOST_PUBSUB_URL: nobody, WAYPOST_SNS_URL: nobody } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const names = Object.keys(moves) as ChannelTransport[]

  test('of every kind is covered by this test', () => {
    expect(names.toSorted()).toEqual(Object.keys(transports.channels).toSorted())
  })

  test.each(names)('of %s sends its credentials only to the place that they were given for', async (transport) => {
    const { id: applicationId, key } = await service.createApplication()
    const id = await storeChannel(service, { applicationId, transport })
    const path = `/v3/channels/${transport}/${id}`
    const { field, elsewhere, same } = moves[transport]
    const draft: Record<string, unknown> = { ...channelDrafts[transport] }
    for (const method of ['PUT', 'PATCH'] as const) {
      for (const change of elsewhere) {
        const refused = await service.call(method, path, { key, body: change })
        expect([change, refused.status]).toEqual([change, 400])
        // Refused before a connection: a response of a broker would have the type 70005.
        expect(refused.body.error.type).toBe('invalid_request_error')
        expect(refused.body.error.message).toContain(`${field}: is required: the stored credentials`)
        const given = { ...change, [field]: draft[field] }
        const secrets = { secret_access_key: draft.secret_access_key, password: draft.password }
        const pair = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined))
        const requested = await service.call(method, path, { key, body: { ...given, ...pair } })
        expect([change, requested.body.error?.message]).toEqual([change, expect.stringContaining('unable.verify.')])
      }
      for (const change of same) {
        const requested = await service.call(method, path, { key, body: change })
        expect([change, requested.body.error?.message]).toEqual([change, expect.stringContaining('unable.verify.')])
      }
    }
    const row = await getWebhook(service.services.storage.database, applicationId, id)
    expect(row && settingsOf(row)).toMatchObject({ [Object.keys(elsewhere[0] ?? {})[0] ?? '']: expect.anything() })
  })
})

describe('an account', () => {
  /** Settings that decide which server receives a password. */
  const isPlace = (name: string): boolean => /(^|_)(host|port|path|url|uri|server|servers|issuer|endpoint)$/.test(name)

  test.each(Object.entries(providerKinds))('of %s cannot change its server without new credentials', (_, kind) => {
    const places = Object.keys(kind.customSettings.shape).filter(isPlace)
    // Stored settings, without secrets, as a change merges them.
    const stored = { imap_username: 'ada@example.com', ews_username: 'ada@example.com', ews_host: 'mail.example.com' }
    for (const place of places) {
      const change = { ...stored, [place]: place.endsWith('port') ? 1993 : 'attacker.test' }
      expect(() => parseSettings(kind.customSettings, change), place).toThrow(/password|refresh_token/)
    }
  })

  test.each(Object.entries(providerKinds))('of %s has a connector that names no server', (_, kind) => {
    // A change of a connector keeps its client secret, so no setting may decide where the secret is sent.
    expect(Object.keys(kind.connectorSettings.shape).filter(isPlace)).toEqual([])
  })
})
