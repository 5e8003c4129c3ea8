/** Polls of an account of the simulated Microsoft, one after the other, with a manual clock. */
import type { Grant } from '@waypost/contract'
import type { SessionIo } from '@waypost/providers/io'
import { type Listener, openListener } from '@waypost/testing/listener'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open } from '../../../../providers/src/microsoft/session.ts'
import { changes } from '../../../../providers/src/microsoft/watch.ts'
import { openProviderPeer, type ProviderPeer } from '../../../../providers/test/shared/provider-peer.ts'
import { type MicrosoftSimulator, startMicrosoft } from '../../../../simulators/src/index.ts'
import type { Json } from '../../conformance/accounts.ts'

const day = 86_400_000

let peer: ProviderPeer
let simulator: MicrosoftSimulator
let receiver: Listener
beforeAll(async () => {
  peer = await openProviderPeer()
  simulator = await startMicrosoft({ now: () => peer.now, filteredDeltaItems: 40 })
  receiver = await openListener()
  receiver.answer = (response, { target }) => {
    const token = new URL(target, receiver.url).searchParams.get('validationToken')
    response.writeHead(200, { 'content-type': 'text/plain' }).end(token ?? '')
  }
})
afterAll(async () => {
  await receiver[Symbol.asyncDispose]()
  await simulator[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
})

let count = 0

/** A new account; `look` polls it and returns the notifications. */
function watched({ scope = ['Calendars.ReadWrite'], push = false, of = '', again = '' } = {}) {
  const number = count++
  const email = of || `looked-at${number}@contoso.example`
  const { calendar, contacts, mail } = of ? simulator.account(of) : simulator.addAccount({ email, name: 'Ada' })
  const secret = again || `secret of grant ${number}`
  const retained = new Map<string, AsyncDisposable>()
  const io: SessionIo = Object.assign(Object.create(peer.io), {
    providerUrl: simulator.url,
    pollSeconds: 60,
    shown: (html: string) => html,
    push: push ? { address: `${receiver.url}/push`, token: secret } : undefined,
    accessToken: async () => simulator.grantToken(email, [...scope, 'offline_access']).accessToken,
    retained: (name: string, make: (forget: () => void) => AsyncDisposable) => {
      const value = retained.get(name) ?? make(() => retained.delete(name))
      retained.set(name, value)
      return value
    },
  })
  const notBefore = peer.now
  const grant = {
    id: 'grant',
    email,
    scope,
    settings: {},
    created_at: Math.floor(notBefore / 1000),
  } as unknown as Grant
  let cursor: string | undefined
  /** The notifications of a poll, as objects. */
  const said = async (): Promise<{ trigger: string; object: Json }[]> => {
    peer.now += 1000
    const found = await changes.since(open(grant, io), cursor, { notBefore })
    cursor = found.cursor
    return found.changes
  }
  const poll = async (): Promise<string[]> =>
    (await said()).map(({ trigger, object }) => `${trigger} ${object.title ?? object.name ?? ''}`.trim())
  const graph = async (path: string): Promise<Json> => {
    const headers = { authorization: `Bearer ${await io.accessToken()}` }
    return (await fetch(`${simulator.url}/v1.0/me/${path}`, { headers })).json()
  }
  return { email, secret, graph, calendar, contacts, mail, poll, said, subscriptions: () => ownSubscriptions(secret) }
}

const ownSubscriptions = (secret: string) =>
  simulator.subscriptions().filter(({ clientState }) => clientState === secret)

const inDays = (days: number): string => new Date(peer.now + days * day).toISOString().slice(0, 10)
const meeting = (subject: string, days = 30) => ({
  subject,
  start: { dateTime: `${inDays(days)}T09:00:00`, timeZone: 'UTC' },
  end: { dateTime: `${inDays(days)}T10:00:00`, timeZone: 'UTC' },
})
const daily = (subject: string) => ({
  ...meeting(subject),
  recurrence: {
    pattern: { type: 'daily', interval: 1 },
    range: { type: 'numbered', startDate: inDays(30), numberOfOccurrences: 4 },
  },
})
/** The HTTP requests of the work, including those in a batch. */
async function requestsOf(work: () => Promise<unknown>): Promise<string[]> {
  simulator.clearCalls()
  await work()
  return simulator.calls.filter(({ batched }) => !batched).map(({ method, path }) => `${method} ${path}`)
}
/** Sets the next response to a call. */
const answerWith = (path: RegExp, json: unknown): void => simulator.fail({ path }, { status: 200, json })

test('changes between the creation of a grant and the first poll are notified, and nothing from before', async () => {
  const { calendar, poll, mail } = watched({ scope: ['Calendars.ReadWrite', 'Mail.ReadWrite'] })
  peer.now -= 60_000
  calendar.addEvent(meeting('old'))
  const old = calendar.addEvent(meeting('changed'))
  calendar.addEvent(daily('old series'))
  peer.now += 61_000
  calendar.addEvent(meeting('between'))
  calendar.changeEvent(old.id, { location: { displayName: 'Here' } })
  mail.deliver('Subject: between\r\nFrom: ann@example.org\r\n\r\nx', { at: peer.now })
  expect((await poll()).sort()).toEqual(['event.created between', 'event.updated changed', 'message.created'])
  expect(await poll()).toEqual([])
})

test('contacts that are added or changed before the first poll are notified too, and older ones are not', async () => {
  const { contacts, said } = watched({ scope: ['Contacts.ReadWrite'] })
  peer.now -= 60_000
  contacts.addContact({ givenName: 'Old' })
  const changed = contacts.addContact({ givenName: 'Changed' })
  peer.now += 61_000
  contacts.addContact({ givenName: 'Between' })
  contacts.changeContact(changed.id, { givenName: 'Other' })
  const reported = await said()
  expect(reported.map(({ trigger, object }) => `${trigger} ${object.given_name}`).sort()).toEqual([
    'contact.updated Between',
    'contact.updated Other',
  ])
  peer.now += 301_000
  expect(await said()).toEqual([])
})

test('unchanged calendars take one request per poll, however many there are', async () => {
  const { calendar, poll } = watched()
  for (const name of ['One', 'Two', 'Three']) calendar.addEvent(meeting(`in ${name}`), calendar.addCalendar(name).id)
  await poll()
  expect(await requestsOf(poll)).toEqual(['POST /v1.0/$batch'])
  const { id } = calendar.addCalendar('Four')
  calendar.addEvent(meeting('in Four'), id)
  expect(await poll()).toEqual(['calendar.created Four', 'event.created in Four'])
})

test('an unreadable calendar does not count as deleted, and its changes are notified later', async () => {
  const { calendar, poll } = watched()
  const { id } = calendar.addCalendar('Broken')
  calendar.addCalendar('Fine')
  await poll()
  const page = async (): Promise<Json[]> => {
    let seen: Json
    const stop = simulator.observe(({ path, responseBody }) => {
      if (path.endsWith('/calendars')) seen = JSON.parse(Buffer.from(responseBody).toString())
    })
    await poll()
    stop()
    return seen.value
  }
  const listed = await page()
  expect(listed).toHaveLength(4)
  calendar.addEvent(meeting('meanwhile'), id)
  const broken = (change: Json): Json => ({
    value: listed.map((each) => (each.name === 'Broken' ? { ...each, ...change } : each)),
  })
  for (const change of [{ name: 7 }, { id: null }, { canEdit: 'yes' }]) {
    answerWith(/\/me\/calendars$/, broken(change))
    expect(await poll()).toEqual([])
  }
  expect(await poll()).toEqual(['event.created meanwhile'])
  calendar.deleteCalendar(id)
  expect(await poll()).toEqual(['calendar.deleted'])
})

test('an occurrence that Graph reports only as removed is notified as a change of its series', async () => {
  const { calendar, poll, said, graph } = watched()
  const { id } = calendar.addEvent(daily('series'))
  calendar.addEvent(daily('other series'))
  calendar.addEvent(meeting('single'))
  await poll()
  let delta: Json
  const stop = simulator.observe(({ path, responseBody }) => {
    if (path.endsWith('/calendarView/delta')) delta = JSON.parse(Buffer.from(responseBody).toString())
  })
  expect(await poll()).toEqual([])
  stop()
  const window = `startDateTime=${inDays(31)}T00:00:00Z&endDateTime=${inDays(32)}T00:00:00Z`
  const { value } = await graph(`events/${id}/instances?${window}`)
  calendar.deleteEvent(value[0].id)
  answerWith(/calendarView\/delta$/, {
    ...delta,
    value: [{ id: 'AAMkOccurrence=', '@removed': { reason: 'deleted' } }],
  })
  expect(await said()).toEqual([
    expect.objectContaining({
      trigger: 'event.updated',
      object: expect.objectContaining({
        title: 'series',
        cancelled_occurrences: [expect.stringContaining(inDays(31))],
      }),
    }),
  ])
})

test('the window of events moves every month: events that enter it are not new, and past ones are not deleted', async () => {
  const { calendar, poll } = watched()
  peer.now -= 3_600_000
  calendar.addEvent(meeting('far', 560))
  calendar.addEvent(meeting('long over', -170))
  const later = calendar.addEvent(meeting('cancelled later', 100))
  peer.now += 3_600_000
  await poll()
  peer.now += 31 * day
  const requested = await requestsOf(async () => expect(await poll()).toEqual([]))
  expect(requested.filter((each) => each.endsWith('/calendarView/delta'))).not.toEqual([])
  calendar.addEvent(meeting('new and far', 540))
  calendar.deleteEvent(later.id)
  expect((await poll()).sort()).toEqual(['event.created new and far', 'event.deleted'])
  expect(await poll()).toEqual([])
})

test('subscriptions are renewed on time before they end, and created again if they ended', async () => {
  const { poll, subscriptions, calendar } = watched({ push: true, scope: ['Calendars.ReadWrite', 'Mail.ReadWrite'] })
  await poll()
  const made = subscriptions()
  expect(made.map(({ resource }) => resource).sort()).toEqual(['me/events', 'me/messages'])
  peer.now += 4 * day
  expect((await requestsOf(poll)).filter((each) => each.includes('subscriptions'))).toEqual([])
  peer.now += 1.5 * day
  const prolonged = (await requestsOf(poll)).filter((each) => each.includes('subscriptions'))
  expect(prolonged.sort()).toEqual(made.map(({ id }) => `PATCH /v1.0/subscriptions/${id}`).sort())
  expect(subscriptions().every(({ expiresAt }) => expiresAt > peer.now + 6 * day)).toBe(true)
  // No poll for longer than a subscription lasts.
  peer.now += 9 * day
  expect(subscriptions()).toEqual([])
  calendar.addEvent(meeting('meanwhile'))
  expect(await poll()).toEqual(['event.created meanwhile'])
  expect(subscriptions()).toHaveLength(2)
  expect(subscriptions().map(({ id }) => id)).not.toContain(made[0]?.id)
})

test('a second grant of the same account and client is notified by polling, and by Graph once the first is deleted', async () => {
  const first = watched({ push: true })
  await first.poll()
  const second = watched({ push: true, of: first.email })
  await second.poll()
  expect([first.subscriptions().length, second.subscriptions().length]).toEqual([1, 0])
  expect(peer.warnings).toContain('Microsoft does not tell of changes of events: they are asked for')
  first.calendar.addEvent(meeting('for both'))
  for (const { poll } of [first, second]) expect(await poll()).toEqual(['event.created for both'])
  // It is not requested at every poll, and does not take over the other grant's subscription.
  expect((await requestsOf(second.poll)).filter((each) => each.includes('subscriptions'))).toEqual([])
  peer.now += 8 * day
  await second.poll()
  expect([first.subscriptions().length, second.subscriptions().length]).toEqual([0, 1])
})

test('a subscription whose creation response was lost is found again, even though Graph does not return its secret', async () => {
  const scope = ['Calendars.ReadWrite', 'Mail.ReadWrite']
  const first = watched({ push: true, scope })
  await first.poll()
  const made = first.subscriptions().map(({ id }) => id)
  expect(made).toHaveLength(2)
  const { value } = await first.graph('../subscriptions')
  expect(value.map(({ clientState }: Json) => clientState)).toEqual([null, null])
  // The same grant after its state was lost.
  const warnings = peer.warnings.length
  const second = watched({ push: true, scope, of: first.email, again: first.secret })
  const requests = await requestsOf(second.poll)
  expect(requests.filter((each) => each.startsWith('PATCH /v1.0/subscriptions/')).length).toBe(2)
  expect(second.subscriptions().map(({ id }) => id)).toEqual(made)
  expect(peer.warnings.slice(warnings)).toEqual([])
})

test('after Graph dropped the delta token, the newest messages of a large folder are notified', async () => {
  const { poll, mail } = watched({ scope: ['Mail.ReadWrite'] })
  const deliver = (subject: string) =>
    mail.deliver(`From: Bob <bob@example.net>\r\nTo: ada@contoso.example\r\nSubject: ${subject}\r\n\r\nText`)
  await poll()
  for (let number = 0; number < 60; number += 1) deliver(`before ${number}`)
  let reported = 0
  for (let round = 0; round < 20 && reported < 60; round += 1) reported += (await poll()).length
  expect(reported).toBe(60)
  mail.forgetChanges()
  peer.now += 5000
  for (const subject of ['new 1', 'new 2']) deliver(subject)
  const after: string[] = []
  for (let round = 0; round < 6; round += 1) after.push(...(await poll()))
  expect(after.filter((each) => each.startsWith('message.created'))).toHaveLength(2)
})
