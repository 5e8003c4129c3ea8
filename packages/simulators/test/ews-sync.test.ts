import { afterAll, afterEach, expect, test } from 'vitest'
import { type Answer, all, ask, codes, openExchange, PASSWORD, texts } from './ews-account.ts'
import { mimeMail } from './ews-items.ts'
import { getEvents, standard, standardOf, subscribePull, syncItems } from './ews-requests.ts'

const { exchange, check, ...opened } = await openExchange()
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

/** A new account, and its inbox as a client synchronizes it. */
function newInbox(name: string) {
  const account = exchange.addAccount({ email: `${name}@exchange.example`, password: PASSWORD })
  const user = account.email
  const deliver = (subject: string, day: number) =>
    account.mail.deliver(mimeMail({ Subject: subject }, 'Hello'), { at: Date.UTC(2026, 0, day) })
  let state: string | undefined
  const sync = async (wish: Parameters<typeof syncItems>[1] = {}, folder = standard('inbox')) => {
    const answer = await ask(exchange, syncItems(folder, { state, ...wish }), { user })
    state = texts(answer.body, 'SyncState')[0] ?? state
    return answer
  }
  return { account, user, deliver, sync }
}

const changesIn = (answer: Answer): string[] => all(answer.body, 'Changes')[0]?.children.map(({ name }) => name) ?? []
const isLast = (answer: Answer) => texts(answer.body, 'IncludesLastItemInRange')[0]

test('the first synchronization returns the newest items first, in pages, including new arrivals', async () => {
  const { deliver, sync } = newInbox('pages')
  for (let day = 1; day <= 5; day++) deliver(`Day ${day}`, day)
  const first = await sync({ max: 2 })
  expect([texts(first.body, 'Subject'), isLast(first)]).toEqual([['Day 5', 'Day 4'], 'false'])
  deliver('Day 6', 6)
  const second = await sync({ max: 2 })
  expect([texts(second.body, 'Subject'), isLast(second)]).toEqual([['Day 6', 'Day 3'], 'false'])
  const third = await sync({ max: 2 })
  expect([texts(third.body, 'Subject'), isLast(third)]).toEqual([['Day 2', 'Day 1'], 'true'])
  expect(changesIn(await sync())).toEqual([])
})

test('an item that changes before it was returned is new, and one that was returned is changed', async () => {
  const { account, deliver, sync } = newInbox('between')
  const [old, recent] = [deliver('Old', 1), deliver('Recent', 2)]
  expect(texts((await sync({ max: 1 })).body, 'Subject')).toEqual(['Recent'])
  for (const { id } of [old, recent]) account.mail.mark(id, { categories: ['Red'] })
  const next = await sync()
  expect(changesIn(next)).toEqual(['Update', 'Create'])
  expect(texts(next.body, 'Subject')).toEqual(['Recent', 'Old'])
})

test('changes, reading, moves and deletions are returned once, each with its kind', async () => {
  const { account, deliver, sync } = newInbox('changes')
  const [read, moved, gone] = [deliver('Read', 1), deliver('Moved', 2), deliver('Gone', 3)]
  await sync()
  account.mail.mark(read.id, { isRead: true })
  const marked = await sync()
  expect(changesIn(marked)).toEqual(['ReadFlagChange'])
  expect(texts(marked.body, 'IsRead')).toEqual(['true'])
  const away = account.mail.move(moved.id, 'junkemail')
  account.mail.remove(gone.id)
  // An item that is created and deleted between two requests is not reported.
  account.mail.remove(deliver('Brief', 4).id)
  const after = await sync()
  expect(changesIn(after)).toEqual(['Delete', 'Delete'])
  expect(all(after.body, 'ItemId').map(({ attributes }) => attributes.Id)).toEqual([moved.id, gone.id])
  const back = account.mail.move(away.id, 'inbox')
  expect(back.id).not.toBe(moved.id)
  expect(back.searchKey).toBe(moved.searchKey)
  expect(changesIn(await sync())).toEqual(['Create'])
})

test('items that the client ignores are omitted', async () => {
  const { deliver, sync } = newInbox('ignore')
  const [first] = [deliver('First', 1), deliver('Second', 2)]
  expect(texts((await sync({ ignore: [first.id] })).body, 'Subject')).toEqual(['Second'])
})

test('an invalid state, one of another folder and an expired one are refused', async () => {
  const { deliver, sync } = newInbox('states')
  deliver('First', 1)
  await sync()
  expect(codes(await sync({}, standard('drafts')))).toEqual(['ErrorInvalidSyncStateData'])
  expect(codes(await sync({ state: 'H4sIAAA=' }))).toEqual(['ErrorInvalidSyncStateData'])
  expect(codes(await sync())).toEqual(['NoError'])
  exchange.expireSyncStates()
  expect(codes(await sync())).toEqual(['ErrorInvalidSyncStateData'])
  expect((await ask(exchange, syncItems(standard('inbox'), { max: 513 }))).text).toContain('ErrorSchemaValidation')
  expect(codes(await ask(exchange, syncItems(standardOf('states@exchange.example', 'inbox'))))).toEqual([
    'ErrorFolderNotFound',
  ])
})

test('incoming mail is notified as new mail, as a new item, and with the count of the folder', async () => {
  const { account, deliver, user } = newInbox('events')
  const made = await ask(exchange, subscribePull({ folders: standard('inbox') }), { user })
  const [id = '', watermark = ''] = [texts(made.body, 'SubscriptionId')[0], texts(made.body, 'Watermark')[0]]
  const entry = deliver('New', 1)
  account.mail.move(entry.id, 'junkemail')
  const reported = await ask(exchange, getEvents(id, watermark), { user })
  const events = all(reported.body, 'Notification')[0]?.children.filter(({ name }) => name.endsWith('Event')) ?? []
  expect(events.map(({ name }) => name)).toEqual([
    'CreatedEvent',
    'NewMailEvent',
    'ModifiedEvent',
    'MovedEvent',
    'ModifiedEvent',
  ])
  expect(texts(reported.body, 'UnreadCount')).toEqual(['1', '0'])
  expect(all(reported.body, 'OldItemId')[0]?.attributes.Id).toBe(entry.id)
})
