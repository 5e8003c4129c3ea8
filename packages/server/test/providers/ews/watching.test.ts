/** Polls of an account of the simulated Exchange, one after the other, with a manual clock. */
import type { Grant } from '@waypost/contract'
import { createEgress } from '@waypost/platform/egress/egress'
import type { SessionIo } from '@waypost/providers/io'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FindItem } from '../../../../providers/src/ews/operations/items.ts'
import { open } from '../../../../providers/src/ews/session.ts'
import { distinguished } from '../../../../providers/src/ews/types/ids.ts'
import { field } from '../../../../providers/src/ews/types/paths.ts'
import { idAnd } from '../../../../providers/src/ews/types/shapes.ts'
import { changes } from '../../../../providers/src/ews/watch.ts'
import type { ExchangeSimulator } from '../../../../simulators/src/index.ts'
import type { Json } from '../../conformance/accounts.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import { type ExchangePeer, exchangePassword, openExchange } from '../../peers/exchange.ts'

const day = 86_400_000

let peer: ExchangePeer
let simulator: ExchangeSimulator
let now = Date.parse('2026-06-01T12:00:00Z')
const egress = createEgress({ mode: 'private' })
beforeAll(async () => {
  peer = await openExchange({ now: () => now })
  simulator = peer.simulator
})
afterAll(async () => {
  await egress[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
})

let count = 0

/** A new account; `look` polls it and returns the notifications. */
function watched({ scope = ['ews.messages', 'ews.calendars', 'ews.contacts'] } = {}) {
  const email = `looked-at${count++}@exchange.example`
  const account = simulator.addAccount({ email, name: 'Ada', password: exchangePassword })
  const retained = new Map<string, object>()
  const keep = (name: string, make: (forget: () => void) => object): object => {
    const value = retained.get(name) ?? make(() => retained.delete(name))
    retained.set(name, value)
    return value
  }
  const warnings: string[] = []
  const log = (_: object, text: string): number => warnings.push(text)
  // Services that a watch does not use are left out.
  const io = {
    request: egress.request,
    connection: egress.connection,
    providerUrl: simulator.url,
    baseUrl: 'http://waypost.test',
    pollSeconds: 60,
    clock: { now: () => now },
    signal: new AbortController().signal,
    log: { warn: log, info: log, debug() {} },
    shown: (html: string) => html,
    parse: { run: async (_: string, inputs: unknown[]) => inputs.map(() => ({ ok: false })) },
    credentials: () => ({ ews_username: email, ews_password: exchangePassword }),
    retained: keep,
    shared: keep,
  } as unknown as SessionIo
  const beganAt = now
  const notBefore = Math.floor(now / 1000) * 1000
  const grant = { id: 'grant', email, scope, settings: {}, created_at: notBefore / 1000 } as unknown as Grant
  let session = open(grant, io)
  let cursor: string | undefined
  /** The notifications of a poll, as objects; `more` is requested until there is none. */
  const said = async (): Promise<{ trigger: string; object: Json }[]> => {
    const reported: { trigger: string; object: Json }[] = []
    now += 3000
    for (;;) {
      const found = await changes.since(session, cursor, { notBefore, beganAt })
      reported.push(...found.changes)
      if (found.more && found.cursor === cursor) throw new Error('it does not get on')
      cursor = found.cursor
      if (!found.more) return reported
    }
  }
  const nameOf = ({ subject, title, name, given_name: given, id }: Json): string =>
    subject ?? title ?? name ?? given ?? id
  const poll = async (): Promise<string[]> =>
    (await said()).map(({ trigger, object }) => `${trigger} ${nameOf(object)}`).sort()
  return {
    ...account,
    account,
    email,
    poll,
    said,
    warnings,
    cursor: () => cursor ?? '',
    /** The occurrences of a series in the coming year, with Exchange's ids. */
    async occurrencesOf(subject: string): Promise<string[]> {
      const { RootFolder } = await session.call(FindItem, {
        Traversal: 'Shallow',
        ItemShape: idAnd(field('item:Subject')),
        View: { kind: 'CalendarView', StartDate: now, EndDate: now + 365 * day },
        ParentFolderIds: [distinguished('calendar')],
      })
      const found = (RootFolder?.Items ?? []).filter(({ Subject }) => Subject === subject)
      return found.flatMap(({ ItemId }) => ItemId?.Id ?? [])
    },
    /** The node dies, and another one continues from the stored state. */
    restart: () => {
      retained.clear()
      session = open(grant, io)
    },
  }
}

const at = (days: number, hour = '09'): string =>
  `${new Date(now + days * day).toISOString().slice(0, 10)}T${hour}:00:00Z`
const meeting = (subject: string, days = 30) => ({ Subject: subject, Start: at(days), End: at(days, '10') })
const daily = (subject: string, days = 30) => ({
  ...meeting(subject, days),
  Recurrence: {
    DailyRecurrence: { Interval: 1 },
    NumberedRecurrence: { StartDate: at(days).slice(0, 10), NumberOfOccurrences: 4 },
  },
})
const person = (name: string) => ({ GivenName: name })
const mail = (subject: string) => mimeMessage({ subject })

/** The operations that the work requests. */
async function operationsOf(work: () => Promise<unknown>): Promise<string[]> {
  simulator.clearCalls()
  await work()
  return simulator.calls.map(({ operation }) => operation ?? '')
}

test('changes between the creation of a grant and the first poll are notified, and nothing from before', async () => {
  const { calendar, contacts, mail: mailbox, poll } = watched()
  now -= 600_000
  mailbox.deliver(mail('old'), { at: now })
  calendar.addEvent(meeting('old'))
  calendar.addEvent(daily('old series'))
  const changed = calendar.addEvent(meeting('changed'))
  contacts.addContact(person('Old'))
  const other = contacts.addContact(person('Changed'))
  now += 601_000
  mailbox.deliver(mail('between'), { at: now })
  calendar.addEvent(meeting('between'))
  calendar.changeEvent(changed.id, { Location: 'Here' })
  contacts.addContact(person('Between'))
  contacts.changeContact(other.id, { GivenName: 'Other' })
  expect(await poll()).toEqual([
    'contact.updated Between',
    'contact.updated Other',
    'event.created between',
    'event.updated changed',
    'message.created between',
  ])
  expect(await poll()).toEqual([])
})

test('an unchanged account takes one call per poll, whatever it contains, and nothing is stored', async () => {
  const { calendar, contacts, mail: mailbox, poll, cursor } = watched()
  mailbox.createFolder('Projects')
  calendar.addEvent(meeting('one'))
  contacts.addFolder('Friends')
  await poll()
  await poll()
  const before = cursor()
  expect(await operationsOf(poll)).toEqual(['FindFolder'])
  expect(cursor()).toBe(before)
  mailbox.deliver(mail('one'), { at: now })
  expect(await operationsOf(poll)).toEqual(['FindFolder', 'SyncFolderItems', 'GetItem'])
})

test("only the parts within a grant's scopes are polled and notified", async () => {
  const { calendar, contacts, mail: mailbox, poll } = watched({ scope: ['ews.contacts'] })
  await poll()
  mailbox.deliver(mail('untold'), { at: now })
  calendar.addEvent(meeting('untold'))
  contacts.addContact(person('Told'))
  expect(await poll()).toEqual(['contact.updated Told'])
})

test('flags and moves are changes of the same message, whatever its ids, and a message is notified as new once', async () => {
  const { mail: mailbox, poll, said } = watched({ scope: ['ews.messages'] })
  await poll()
  const { id, searchKey } = mailbox.deliver(mail('one'), { at: now })
  expect(await poll()).toEqual(['message.created one'])
  mailbox.mark(id, { isRead: true })
  expect(await said()).toMatchObject([{ trigger: 'message.updated', object: { unread: false } }])
  mailbox.mark(id, { isFlagged: true })
  expect(await said()).toMatchObject([{ trigger: 'message.updated', object: { starred: true } }])
  const elsewhere = mailbox.createFolder('Elsewhere')
  const [{ object: folder } = { object: {} }] = await said()
  expect(mailbox.move(searchKey, elsewhere).id).not.toBe(id)
  expect(await said()).toMatchObject([
    { trigger: 'message.updated', object: { subject: 'one', folders: [folder.id], starred: true } },
  ])
  now += 3_600_000
  mailbox.move(searchKey, 'deleteditems')
  expect(await poll()).toEqual(['message.updated one'])
  mailbox.remove(searchKey)
  expect(await poll()).toEqual([])
  // A message that arrives and is immediately moved by a rule is new.
  const ruled = mailbox.deliver(mail('ruled'), { at: now })
  mailbox.move(ruled.id, elsewhere)
  mailbox.deliver(mail('drafted'), { at: now, folder: 'drafts', isDraft: true })
  expect(await poll()).toEqual(['message.created ruled'])
})

test('folders that are created, renamed, moved and deleted are notified, with the messages that arrived in them', async () => {
  const { mail: mailbox, poll, said } = watched({ scope: ['ews.messages'] })
  await poll()
  const id = mailbox.createFolder('One')
  mailbox.deliver(mail('filed'), { at: now, folder: id })
  const reported = await said()
  expect(reported.map(({ trigger }) => trigger)).toEqual(['folder.created', 'message.created'])
  expect(reported[1]?.object.folders).toEqual([reported[0]?.object.id])
  mailbox.renameFolder(id, 'Two')
  expect(await poll()).toEqual(['folder.updated Two'])
  mailbox.removeFolder(id)
  expect(await poll()).toEqual(['folder.deleted Two'])
  expect(await poll()).toEqual([])
})

test('calendars and their changes are notified; series as a whole, with changes of their occurrences', async () => {
  const { calendar, poll, said, occurrencesOf } = watched({ scope: ['ews.calendars'] })
  const { id } = calendar.addEvent(daily('series'))
  const single = calendar.addEvent(meeting('single'))
  calendar.addEvent(daily('other series'))
  await poll()
  const { id: other } = calendar.addCalendar('Other')
  calendar.addEvent(meeting('in Other'), { calendarId: other })
  expect(await poll()).toEqual(['calendar.created Other', 'event.created in Other'])
  calendar.renameCalendar(other, 'Renamed')
  expect(await poll()).toEqual(['calendar.updated Renamed'])
  calendar.deleteCalendar(other)
  const [gone] = await said()
  expect(gone).toMatchObject({ trigger: 'calendar.deleted', object: { object: 'calendar' } })
  calendar.changeEvent(single.id, { Subject: 'changed' })
  expect(await poll()).toEqual(['event.updated changed'])
  calendar.deleteEvent(single.id)
  expect(await said()).toMatchObject([{ trigger: 'event.deleted', object: { object: 'event' } }])
  const occurrences = await occurrencesOf('series')
  expect(occurrences).toHaveLength(4)
  calendar.changeEvent(occurrences[1] ?? '', { Subject: 'moved' })
  const [changed, ...others] = await said()
  expect(others).toEqual([])
  expect(changed).toMatchObject({
    trigger: 'event.updated',
    object: { title: 'series', occurrences: [expect.any(String)] },
  })
  expect(changed?.object).not.toHaveProperty('cancelled_occurrences')
  calendar.deleteEvent(occurrences[2] ?? '')
  const [cancelled, ...more] = await said()
  expect(more).toEqual([])
  expect(cancelled).toMatchObject({
    trigger: 'event.updated',
    object: { title: 'series', cancelled_occurrences: [expect.any(String)] },
  })
  expect(cancelled?.object).not.toHaveProperty('occurrences')
  calendar.deleteEvent(id)
  expect((await said()).map(({ trigger }) => trigger)).toEqual(['event.deleted'])
  expect(await poll()).toEqual([])
})

test('moved contacts are notified as changed, and a deleted one by the id that was notified last', async () => {
  const { contacts, poll, said } = watched({ scope: ['ews.contacts'] })
  const friends = contacts.addFolder('Friends')
  await poll()
  const { id } = contacts.addContact(person('Ann'))
  contacts.addDistributionList('Nobody', [])
  const [made, ...others] = await said()
  expect(others).toEqual([])
  const moved = contacts.moveContact(id, friends.id)
  const [after] = await said()
  expect(after).toMatchObject({ trigger: 'contact.updated', object: { given_name: 'Ann' } })
  expect(after?.object.id).not.toBe(made?.object.id)
  contacts.deleteContact(moved.id)
  expect(await said()).toMatchObject([{ trigger: 'contact.deleted', object: { id: after?.object.id } }])
  // A folder is deleted together with its contents.
  contacts.addContact(person('Bob'), friends.id)
  const [bob] = await said()
  contacts.deleteFolder(friends.id)
  expect(await said()).toMatchObject([{ trigger: 'contact.deleted', object: { id: bob?.object.id } }])
})

test('after Exchange dropped its sync state, missed changes are notified once each, and nothing else', async () => {
  const { calendar, contacts, mail: mailbox, poll, warnings, restart } = watched()
  now -= 7_200_000
  mailbox.deliver(mail('old'), { at: now })
  const [event, changed] = [calendar.addEvent(meeting('event')), calendar.addEvent(meeting('changed'))]
  calendar.addEvent(daily('series'))
  const [contact, other] = [contacts.addContact(person('Ann')), contacts.addContact(person('Bob'))]
  contacts.addContact(person('Cleo'))
  now += 7_200_000
  await poll()
  const marked = mailbox.deliver(mail('told'), { at: now })
  expect(await poll()).toEqual(['message.created told'])
  now += 3_600_000
  expect(await poll()).toEqual([])
  mailbox.deliver(mail('meanwhile'), { at: now })
  mailbox.mark(marked.id, { isFlagged: true })
  calendar.deleteEvent(event.id)
  calendar.changeEvent(changed.id, { Location: 'Here' })
  calendar.addEvent(meeting('new'))
  contacts.deleteContact(contact.id)
  contacts.changeContact(other.id, { GivenName: 'Robert' })
  contacts.addContact(person('New'))
  simulator.expireSyncStates()
  restart()
  const reported = await poll()
  expect(reported.filter((each) => !/deleted/.test(each))).toEqual([
    'contact.updated New',
    'contact.updated Robert',
    'event.created new',
    'event.updated changed',
    'message.created meanwhile',
    'message.updated told',
  ])
  expect(reported.filter((each) => /deleted/.test(each)).map((each) => each.split(' ')[0])).toEqual([
    'contact.deleted',
    'event.deleted',
  ])
  expect(warnings.some((text) => text.includes('has forgotten'))).toBe(true)
  expect(await poll()).toEqual([])
  mailbox.deliver(mail('later'), { at: now })
  expect(await poll()).toEqual(['message.created later'])
})

test('an item that is deleted before it is requested is not notified again', async () => {
  const { calendar, contacts, mail: mailbox, poll } = watched()
  await poll()
  const { id } = mailbox.deliver(mail('vanishing'), { at: now })
  mailbox.deliver(mail('staying'), { at: now })
  const event = calendar.addEvent(meeting('vanishing'))
  const contact = contacts.addContact(person('Vanishing'))
  const vanish: Record<string, () => void> = {
    Message: () => mailbox.remove(id),
    CalendarItem: () => calendar.deleteEvent(event.id),
    Contact: () => contacts.deleteContact(contact.id),
  }
  const stop = simulator.observe(({ operation, responseBody }) => {
    const answer = Buffer.from(responseBody).toString()
    const kind = operation === 'SyncFolderItems' && Object.keys(vanish).find((each) => answer.includes(`<t:${each}>`))
    if (!kind) return
    vanish[kind]?.()
    delete vanish[kind]
  })
  expect(await poll()).toEqual(['message.created staying'])
  stop()
  expect(Object.keys(vanish)).toEqual([])
  expect((await poll()).filter((each) => !/deleted/.test(each))).toEqual([])
})

test('many changes at once are all notified, and the stored state is bounded', async () => {
  const { contacts, mail: mailbox, poll, cursor } = watched()
  await poll()
  const subjects = Array.from({ length: 450 }, (_, index) => `bulk ${index}`)
  for (const [index, subject] of subjects.entries()) {
    mailbox.deliver(mail(subject), { at: now, folder: index % 3 ? 'inbox' : 'junkemail' })
  }
  for (let index = 0; index < 250; index += 1) contacts.addContact(person(`Bulk ${index}`))
  const reported = await poll()
  expect(reported).toHaveLength(700)
  expect(new Set(reported).size).toBe(700)
  expect(cursor().length).toBeLessThan(60_000)
  expect(await poll()).toEqual([])
})

test('an incomplete list of folders is ignored: nothing counts as deleted', async () => {
  const { mail: mailbox, poll } = watched()
  mailbox.createFolder('Kept')
  await poll()
  const envelope = (content: string): string =>
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:m="http://schemas.microsoft.com/exchange/services/2006/messages" xmlns:t="http://schemas.microsoft.com/exchange/services/2006/types"><s:Body>${content}</s:Body></s:Envelope>`
  const nothing = envelope(
    '<m:FindFolderResponse><m:ResponseMessages><m:FindFolderResponseMessage ResponseClass="Success"><m:ResponseCode>NoError</m:ResponseCode><m:RootFolder IndexedPagingOffset="0" TotalItemsInView="9" IncludesLastItemInRange="false"><t:Folders/></m:RootFolder></m:FindFolderResponseMessage></m:ResponseMessages></m:FindFolderResponse>',
  )
  simulator.fail({ operation: 'FindFolder' }, { status: 200, html: nothing, headers: { 'content-type': 'text/xml' } })
  await expect(poll()).rejects.toThrow(/does not end its list/)
  expect(await poll()).toEqual([])
})
