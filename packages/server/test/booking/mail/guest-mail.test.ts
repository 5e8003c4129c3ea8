/** Booking pages announce a mail to guests only if one is sent. */
import type { Configuration } from '@waypost/contract'
import { openServiceMail, type ServiceMail } from '@waypost/testing/peers/smtp-sink'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPageSource } from '../../../src/api/pages/booking/page-source.ts'
import { referenceOf } from '../../../src/booking/bookings/booking-record.ts'
import { isGuestMailed } from '../../../src/booking/mail/mail-route.ts'
import { openService, type TestService } from '../../harness.ts'
import { createMicrosoftGrant, type MicrosoftPeer, openMicrosoft } from '../../peers/microsoft.ts'
import { addHost, addPage, type Host, participantOf } from '../booking-setup.ts'
import { sampleConfiguration, storeBooking } from './stored-booking.ts'

let post: ServiceMail
let graph: MicrosoftPeer
let withMail: TestService
let silent: TestService
beforeAll(async () => {
  post = await openServiceMail('bookings@waypost.test')
  graph = await openMicrosoft()
  const env = { WAYPOST_MICROSOFT_URL: graph.simulator.url, WAYPOST_EGRESS: 'private' }
  withMail = await inApplication(await openService({ env: { ...env, ...post.env } }))
  silent = await inApplication(await openService({ env }))
})
afterAll(async () => {
  for (const each of [withMail, silent, graph, post]) await each?.[Symbol.asyncDispose]()
})

/** A separate application of the same service, because the sandbox has fixed scopes. */
async function inApplication(service: TestService): Promise<TestService> {
  const { key } = await service.createApplication()
  return {
    ...service,
    apiKey: key,
    call: (method, target, options) => service.call(method, target, { key, ...options }),
    createGrant: (email) => service.createGrant(email, key),
  }
}

const applicationOf = async (service: TestService): Promise<string> =>
  (await service.call('GET', '/v3/applications')).body.data.application_id

interface Asked {
  hosts: readonly Host[]
  event?: Partial<Configuration['event_booking']>
  method?: 'max-fairness'
  kinds?: readonly ('confirmed' | 'declined')[]
}

const isPromised = async (service: TestService, { hosts, event, method, kinds = ['confirmed'] }: Asked) => {
  const configuration = sampleConfiguration({
    participants: hosts.map((host, index) => participantOf(host, { is_organizer: index === 0 })),
    availability: {
      duration_minutes: 30,
      ...(method ? { availability_rules: { availability_method: method } } : {}),
    },
    event_booking: { title: 'Talk', ...event },
  })
  const page = { applicationId: await applicationOf(service), grantId: hosts[0]?.id ?? '', configuration }
  return isGuestMailed({ ...service.services.scheduling, mail: service.services.mail.identity }, page, {
    kinds,
  })
}

const microsoftHost = async (service: TestService, email: string): Promise<Host> => {
  graph.simulator.addAccount({ email, name: email })
  const { id } = await createMicrosoftGrant(service, graph.simulator, { email, key: service.apiKey })
  return { id: String(id), email, calendarId: 'primary' }
}

test('a page announces a mail only if the service or the account can send it', async () => {
  const [sending, mute] = [await addHost(withMail, 'a@host.test'), await addHost(silent, 'a@host.test')]
  expect(await isPromised(withMail, { hosts: [sending] })).toBe(true)
  expect(await isPromised(silent, { hosts: [mute] })).toBe(false)
  expect(await isPromised(silent, { hosts: [await microsoftHost(silent, 'm@contoso.example')] })).toBe(true)
  expect(await isPromised(withMail, { hosts: [sending], event: { disable_emails: true } })).toBe(false)
})

test('a page announces a mail only if every possible host can send one', async () => {
  const hosts = [await microsoftHost(silent, 'n@contoso.example'), await addHost(silent, 'b@host.test')]
  expect(await isPromised(silent, { hosts, method: 'max-fairness' })).toBe(false)
  const gone = [await addHost(withMail, 'c@host.test'), await addHost(withMail, 'd@host.test')]
  expect(await isPromised(withMail, { hosts: gone, method: 'max-fairness' })).toBe(true)
  await withMail.call('DELETE', `/v3/grants/${gone[1]?.id}`)
  expect(await isPromised(withMail, { hosts: gone, method: 'max-fairness' })).toBe(false)
})

test('invitations of a calendar without a mail server count only where the service sends them', async () => {
  const event = { notify_participants: true, disable_emails: true }
  expect(await isPromised(withMail, { hosts: [await addHost(withMail, 'e@host.test')], event })).toBe(true)
  expect(await isPromised(silent, { hosts: [await addHost(silent, 'e@host.test')], event })).toBe(false)
  // The guest gets no mail about a refusal.
  const kinds = ['confirmed', 'declined'] as const
  expect(await isPromised(withMail, { hosts: [await addHost(withMail, 'f@host.test')], event, kinds })).toBe(false)
})

test('the pages of a configuration and of a booking announce the same, depending on the account', async () => {
  const visit = { address: '127.0.0.1', query: new URLSearchParams() } as never
  for (const [service, expected] of [
    [withMail, true],
    [silent, false],
  ] as const) {
    const [applicationId, host] = [await applicationOf(service), await addHost(service, 'g@host.test')]
    const id = await addPage(service, [host], { slug: 'talk', event_booking: { title: 'Talk', timezone: 'UTC' } })
    const record = await storeBooking(service, {
      ...{ applicationId, grantId: host.id, configurationId: id },
      startTime: Math.floor(service.services.storage.clock.now() / 1000) + 86_400,
    })
    const source = createPageSource({ ...service.services.scheduling, mail: service.services.mail.identity })
    const pages = [
      await source.openPage(visit, { clientId: applicationId, slug: 'talk' }),
      await source.openBooking(visit, { reference: referenceOf(record), needed: 'guest' }),
    ]
    expect(pages.map((page) => page?.event.sendsMail)).toEqual([expected, expected])
  }
})
