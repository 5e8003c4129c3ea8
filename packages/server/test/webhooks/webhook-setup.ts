/**
 * A running service whose time stands still, applications with notifications, and destinations that record their
 * deliveries.
 */
import type { ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { Notification } from '@waypost/contract'
import { type Arrival, startReceiver } from '@waypost/testing/peers/hostile-receivers'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { expect, vi } from 'vitest'
import { expectStatus, type Json } from '../conformance/accounts.ts'
import { type Answer, openService, type ServiceOptions, type TestService } from '../harness.ts'

/** The response of a destination to deliveries; `nth` counts them from 1. */
export type Reply = (response: ServerResponse, arrival: Arrival, nth: number) => void

export const ok: Reply = (response) => void response.end('ok')
export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Reply =>
  (response) =>
    void response.writeHead(code, headers).end(body)

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** Deliveries, without the challenges. */
  readonly got: Arrival[]
  readonly challenges: string[]
  reply: Reply
  /** Whether challenges are answered. */
  answersChallenge: boolean
}

/** A receiver that answers the challenge, and deliveries with `reply`. */
export async function openReceiver(reply: Reply = ok): Promise<Receiver> {
  const got: Arrival[] = []
  const challenges: string[] = []
  const server = await startReceiver((response, arrival) => {
    const challenge = new URL(arrival.path, 'http://x').searchParams.get('challenge')
    if (challenge === null) return receiver.reply(response, arrival, got.push(arrival))
    challenges.push(challenge)
    response.end(receiver.answersChallenge ? challenge : 'no')
  })
  const receiver: Receiver = {
    url: server.url,
    got,
    challenges,
    reply,
    answersChallenge: true,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return receiver
}

/** An arrival, parsed with the contract. */
export function notificationOf({ headers, body }: Arrival): Notification {
  const text = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
  const json = JSON.parse(text.toString())
  const parsed = Notification.parse(json)
  expect(parsed, 'a field that the contract lacks').toEqual(json)
  return parsed
}
export const idOf = (arrival: Arrival): string => notificationOf(arrival).id

/** A destination as it was created, with its secret. */
export interface Destination {
  id: string
  webhook_secret: string
  [field: string]: Json
}

export interface Tenant {
  applicationId: string
  key: string
  grantId: string
  calendarId: string
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** Calls, expects success, and returns the data. */
  data(method: string, path: string, body?: unknown): Promise<Json>
  /** Creates a destination at a receiver, by default for new and changed events. */
  subscribe(receiver: Receiver, fields?: object): Promise<Destination>
  /** Creates an event, which is notified. Returns it. */
  tell(title?: string): Promise<Json>
  /** Creates this many events. */
  tellMany(count: number): Promise<void>
  /** Waiting and failed deliveries of a destination. */
  queue(webhookId: string, query?: string): Promise<Json[]>
  /** The log of a destination, newest first. */
  attempts(webhookId: string, query?: string): Promise<Json[]>
}

export interface WebhookSetup extends AsyncDisposable {
  service: TestService
  clock: TestClock
  /** Advances time, and wakes the deliverer. */
  pass(milliseconds: number): void
  newTenant(): Promise<Tenant>
  /** Resolves when the deliverer has polled the queue twice since the call: everything pending is sent. */
  polled(): Promise<void>
}

/** Waits until the check succeeds. */
export const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { interval: 20 })

export async function openWebhookSetup(options: ServiceOptions & { clock?: TestClock }): Promise<WebhookSetup> {
  const clock = options.clock ?? testClock()
  const service = await openService({
    ...options,
    env: { WAYPOST_EGRESS: 'private', ...options.env },
    overrides: { clock, ...options.overrides },
  })
  await service.listen()
  const beacon = await openReceiver()
  let lighthouse: Tenant | undefined
  let beaconId = ''

  function tenantOf({ id, key, grantId, calendarId }: Record<'id' | 'key' | 'grantId' | 'calendarId', string>): Tenant {
    const tenant: Tenant = {
      applicationId: id,
      key,
      grantId,
      calendarId,
      call: (method, path, body) => service.call(method, path, { key, ...(body === undefined ? {} : { body }) }),
      data: async (method, path, body) => expectStatus(await tenant.call(method, path, body), 200).body.data,
      subscribe: (receiver, fields) =>
        tenant.data('POST', '/v3/webhooks', {
          trigger_types: ['event.created', 'event.updated'],
          webhook_url: receiver.url,
          ...fields,
        }),
      tell: (title = 'Something') =>
        tenant.data('POST', `/v3/grants/${grantId}/events?calendar_id=${calendarId}`, {
          title,
          when: { time: 1_800_000_000 },
        }),
      async tellMany(count) {
        for (let index = 0; index < count; index++) await tenant.tell(`Number ${index}`)
      },
      queue: (webhookId, query = '') => tenant.data('GET', `/v3/webhooks/${webhookId}/deliveries?limit=200${query}`),
      attempts: (webhookId, query = '') => tenant.data('GET', `/v3/webhooks/${webhookId}/attempts?limit=200${query}`),
    }
    return tenant
  }
  const newTenant = async (): Promise<Tenant> => {
    const { id, key } = await service.createApplication()
    const grant = await service.createGrant(`${crypto.randomUUID()}@mail.test`, key)
    const made = await service.call('POST', `/v3/grants/${grant.id}/calendars`, { key, body: { name: 'Desk' } })
    return tenantOf({ id, key, grantId: grant.id, calendarId: expectStatus(made, 200).body.data.id })
  }

  return {
    service,
    clock,
    pass(milliseconds) {
      clock.advance(milliseconds)
      service.services.notifications.deliverer.wake()
    },
    newTenant,
    async polled() {
      if (!lighthouse) {
        lighthouse = await newTenant()
        beaconId = (await lighthouse.subscribe(beacon)).id
      }
      for (const name of ['once', 'twice']) {
        const { id } = await lighthouse.tell(name)
        await until(() => expect(beacon.got.some(({ body }) => body.includes(id))).toBe(true))
      }
      // And its own results are stored and counted.
      const { queue } = lighthouse
      await until(async () => expect(await queue(beaconId)).toEqual([]))
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await beacon[Symbol.asyncDispose]()
    },
  }
}
