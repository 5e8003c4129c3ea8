import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { graphRefusal, mimeMail, openGraph, pathOf } from './graph-account.ts'
import { checkType, hasGraphTypes } from './graph-types.ts'

const DAY = 24 * 3_600_000
const IMMUTABLE = ['Prefer', 'IdType="ImmutableId"'] as const

interface Notification {
  readonly subscriptionId: string
  readonly clientState: string
  readonly changeType?: string
  readonly lifecycleEvent?: string
  readonly resource: string
  readonly resourceData?: { readonly id: string }
}

/** A receiver of notifications; `answers` defines its response to the handshake. */
async function openReceiver(
  answers: (token: string) => { status: number; body: string } = (body) => ({ status: 200, body }),
) {
  const received: { path: string; notification: Notification }[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const token = url.searchParams.get('validationToken')
    if (token !== null) {
      const { status, body } = answers(token)
      response.writeHead(status, { 'content-type': 'text/plain' }).end(body)
      return
    }
    const { value } = JSON.parse(Buffer.concat(chunks).toString()) as { value: Notification[] }
    for (const notification of value) received.push({ path: url.pathname, notification })
    response.writeHead(202).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function wanted(url: string, resource: string, more: Record<string, unknown> = {}) {
  return {
    changeType: 'created,updated,deleted',
    notificationUrl: `${url}/notify`,
    lifecycleNotificationUrl: `${url}/lifecycle`,
    resource,
    expirationDateTime: new Date(Date.now() + 6 * DAY).toISOString(),
    clientState: 'secret',
    ...more,
  }
}

test('a subscription reports changes in its folder, with the kind of id that it was created with', async () => {
  await using receiver = await openReceiver()
  await using accounts = await openGraph()
  const { ada, microsoft } = accounts
  const graph = accounts.graphOf(ada)
  const resource = "me/mailFolders('Inbox')/messages"
  const made = await graph
    .api('/subscriptions')
    .header(...IMMUTABLE)
    .post(wanted(receiver.url, resource))
  expect(made).toMatchObject({ resource, clientState: 'secret', applicationId: microsoft.client.id })
  const message = ada.mail.deliver(mimeMail({}))
  ada.mail.deliver(mimeMail({}), { folder: 'archive' })
  ada.mail.mark(message.id, { isRead: true })
  ada.mail.move(message.id, 'archive')
  await microsoft.settled()
  const reported = receiver.received.map(({ notification }) => notification)
  expect(reported.map(({ changeType }) => changeType)).toEqual(['created', 'updated', 'deleted'])
  expect(reported[0]).toMatchObject({
    subscriptionId: made.id,
    clientState: 'secret',
    tenantId: ada.tenant.id,
    resource: `Users/${ada.id}@${ada.tenant.id}/Messages/${message.immutableId}`,
    resourceData: { '@odata.type': '#Microsoft.Graph.Message', id: message.immutableId },
  })
  const problems: string[] = []
  if (hasGraphTypes) for (const each of reported) checkType('changeNotification', each, 'notification', problems)
  expect(problems).toEqual([])
  expect((await graph.api('/subscriptions').get()).value).toMatchObject([{ id: made.id }])
  await graph.api(`/subscriptions/${made.id}`).delete()
  ada.mail.deliver(mimeMail({}))
  await microsoft.settled()
  expect(receiver.received).toHaveLength(3)
})

test('a URL that does not answer the handshake, and other invalid requests, are refused', async () => {
  await using bad = await openReceiver(() => ({ status: 200, body: 'something else' }))
  await using broken = await openReceiver(() => ({ status: 500, body: '' }))
  await using good = await openReceiver()
  await using accounts = await openGraph()
  const { ada, grace } = accounts
  const graph = accounts.graphOf(ada)
  const refusal = async (body: object) => {
    const { status, code } = await graphRefusal(graph.api('/subscriptions').post(body))
    return `${status} ${code}`
  }
  expect(await refusal(wanted(bad.url, 'me/messages'))).toBe('400 ValidationError')
  expect(await refusal(wanted(broken.url, 'me/messages'))).toBe('400 ValidationError')
  expect(await refusal(wanted('http://127.0.0.1:1', 'me/messages'))).toBe('400 ValidationError')
  expect(await refusal(wanted('http://example.com', 'me/messages'))).toBe('400 InvalidRequest')
  expect(await refusal(wanted(good.url, 'me/nothing'))).toBe('400 InvalidRequest')
  expect(await refusal(wanted(good.url, 'me/messages', { changeType: 'moved' }))).toBe('400 InvalidRequest')
  const late = new Date(Date.now() + 8 * DAY).toISOString()
  expect(await refusal(wanted(good.url, 'me/messages', { expirationDateTime: late }))).toBe('400 InvalidRequest')
  expect(await refusal(wanted(good.url, 'me/messages', { clientState: 'x'.repeat(129) }))).toBe('400 InvalidRequest')
  grace.shareWith(ada.email)
  expect(await refusal(wanted(good.url, `users/${grace.email}/messages`))).toBe('403 ErrorAccessDenied')
  await graph.api('/subscriptions').post(wanted(good.url, 'me/messages'))
  expect(await refusal(wanted(good.url, '/me/messages'))).toBe('409 Conflict')
})

test('a subscription expires unless it is renewed, and its lifecycle is notified', async () => {
  await using receiver = await openReceiver()
  let now = Date.UTC(2026, 5, 1)
  await using accounts = await openGraph({ now: () => now, notificationCopies: 2 })
  const { ada, microsoft } = accounts
  const graph = accounts.graphOf(ada)
  const at = (ms: number) => new Date(now + ms).toISOString()
  const short = await graph
    .api('/subscriptions')
    .post(wanted(receiver.url, 'me/messages', { expirationDateTime: at(60_000) }))
  expect(short.expirationDateTime).toBe(at(45 * 60_000))
  await graph.api(`/subscriptions/${short.id}`).patch({ expirationDateTime: at(DAY) })
  await graph.api(`/subscriptions/${short.id}/reauthorize`).post({})
  now += DAY / 2
  ada.mail.deliver(mimeMail({}))
  microsoft.muteNotifications(true)
  ada.mail.deliver(mimeMail({}))
  microsoft.muteNotifications(false)
  microsoft.tellLifecycle(short.id, 'missed')
  microsoft.tellLifecycle(short.id, 'reauthorizationRequired')
  await microsoft.settled()
  const reported = () =>
    receiver.received.map(
      ({ path, notification }) => `${path} ${notification.lifecycleEvent ?? notification.changeType}`,
    )
  expect(reported().toSorted()).toEqual([
    '/lifecycle missed',
    '/lifecycle reauthorizationRequired',
    '/notify created',
    '/notify created',
  ])
  microsoft.tellLifecycle(short.id, 'subscriptionRemoved')
  await microsoft.settled()
  expect(reported().at(-1)).toBe('/lifecycle subscriptionRemoved')
  expect(microsoft.subscriptions()).toEqual([])
  const second = await accounts
    .graphOf(ada)
    .api('/subscriptions')
    .post(wanted(receiver.url, 'me/messages', { expirationDateTime: at(DAY) }))
  now += 2 * DAY
  const fresh = accounts.graphOf(ada).api(`/subscriptions/${second.id}`)
  expect(await graphRefusal(fresh.patch({ expirationDateTime: at(DAY) }))).toMatchObject({ status: 404 })
})

test('a delta returns all messages of a folder once, then the changes, until it expires', async () => {
  await using accounts = await openGraph()
  const { ada, microsoft } = accounts
  const graph = accounts.graphOf(ada)
  const round = async (path: string, prefer = IMMUTABLE[1] as string) => {
    const items: Record<string, unknown>[] = []
    let pages = 0
    for (let at = path; ; ) {
      const page = await graph.api(at).header('Prefer', `${prefer}, odata.maxpagesize=2`).get()
      pages++
      items.push(...page.value)
      if (page['@odata.deltaLink'] !== undefined) return { items, pages, link: pathOf(page['@odata.deltaLink']) }
      at = pathOf(page['@odata.nextLink'])
    }
  }
  const sent = [1, 2, 3].map((each) =>
    ada.mail.deliver(mimeMail({ Subject: `Number ${each}` }), { at: Date.UTC(2026, 0, each) }),
  )
  const [one, two, three] = sent.map(({ immutableId }) => immutableId)
  const base = '/me/mailFolders/inbox/messages/delta'
  const first = await round(`${base}?$select=subject,isRead`)
  expect(first.pages).toBe(2)
  expect(first.items.map(({ id }) => id)).toEqual([one, two, three])
  expect(Object.keys(first.items[0] ?? {}).toSorted()).toEqual([
    '@odata.etag',
    '@odata.type',
    'id',
    'isRead',
    'subject',
  ])
  const mutable = await round(base, 'outlook.allow-unsafe-html')
  expect(mutable.items.map(({ id }) => id)).toEqual(sent.map(({ id }) => id))
  ada.mail.mark(one ?? '', { isRead: true })
  ada.mail.move(two ?? '', 'archive')
  ada.mail.remove(three ?? '')
  const four = ada.mail.deliver(mimeMail({ Subject: 'Number 4' }))
  const second = await round(first.link)
  expect(second.items).toEqual([
    { '@odata.type': '#microsoft.graph.message', '@odata.etag': expect.any(String), id: one, isRead: true },
    { id: two, '@removed': { reason: 'deleted' } },
    { id: three, '@removed': { reason: 'deleted' } },
    expect.objectContaining({ id: four.immutableId, subject: 'Number 4', isRead: false }),
  ])
  const back = ada.mail.move(two ?? '', 'inbox')
  const moved = await round(mutable.link, 'outlook.allow-unsafe-html')
  expect(moved.items).toContainEqual({ id: sent[1]?.id, '@removed': { reason: 'deleted' } })
  expect(moved.items).toContainEqual(expect.objectContaining({ id: back.id, subject: 'Number 2' }))
  const third = await round(second.link)
  expect(third.items).toMatchObject([{ id: two }])
  expect((await round(third.link)).items).toEqual([])
  const recent = await round(`${base}?$filter=receivedDateTime ge 2026-01-02T00:00:00Z&changeType=created`)
  expect(recent.items.map(({ subject }) => subject)).toEqual(['Number 2', 'Number 4'])
  ada.mail.mark(four.id, { isRead: false })
  expect((await round(recent.link)).items).toEqual([])
  expect(await graphRefusal(round(`${base}?$filter=isRead eq true`))).toMatchObject({ code: 'ErrorInvalidUrlQuery' })
  expect(await graphRefusal(round(`${base}?$search="x"`))).toMatchObject({ status: 400 })
  ada.mail.forgetChanges()
  expect(await graphRefusal(round(third.link))).toEqual({ status: 410, code: 'SyncStateNotFound' })
  ada.mail.forgetChanges('resyncRequired')
  expect(await graphRefusal(round(third.link))).toEqual({ status: 410, code: 'resyncRequired' })
  const again = await round(base)
  microsoft.expirePages()
  expect(await graphRefusal(round(again.link))).toMatchObject({ status: 410 })
})

test('a delta of folders returns created, changed and deleted ones', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const graph = accounts.graphOf(ada)
  const first = await graph.api('/me/mailFolders/delta').top(100).get()
  expect(first.value.map(({ displayName }: { displayName: string }) => displayName)).toContain('Inbox')
  const id = ada.mail.createFolder('Projects')
  ada.mail.deliver(mimeMail({}))
  const second = await graph.api(pathOf(first['@odata.deltaLink'])).get()
  expect(second.value).toMatchObject([{ displayName: 'Projects' }, { displayName: 'Inbox', totalItemCount: 1 }])
  await graph.api(`/me/mailFolders/${id}/permanentDelete`).post({})
  const third = await graph.api(pathOf(second['@odata.deltaLink'])).get()
  expect(third.value).toEqual([{ id, '@removed': { reason: 'deleted' } }])
})

test('events and contacts are notified, an occurrence as its series', async () => {
  await using receiver = await openReceiver()
  await using accounts = await openGraph()
  const { ada, microsoft } = accounts
  const graph = accounts.graphOf(ada)
  const work = ada.calendar.addCalendar('Work')
  const resources = ['me/events', `me/calendars/${work.id}/events`, 'me/contacts']
  const ids: string[] = []
  for (const resource of resources) {
    ids.push((await graph.api('/subscriptions').post(wanted(receiver.url, resource))).id)
  }
  const at = (dateTime: string) => ({ dateTime, timeZone: 'UTC' })
  const event = { subject: 'Daily', start: at('2026-03-02T10:00'), end: at('2026-03-02T11:00') }
  const recurrence = { pattern: { type: 'daily', interval: 1 }, range: { type: 'noEnd', startDate: '2026-03-02' } }
  const series = ada.calendar.addEvent({ ...event, recurrence })
  const query = 'startDateTime=2026-03-03&endDateTime=2026-03-04'
  const [occurrence] = (await graph.api(`/me/events/${series.id}/instances?${query}`).get()).value
  await graph.api(`/me/events/${occurrence.id}`).patch({ subject: 'Other' })
  await graph.api(`/me/events/${occurrence.id}`).delete()
  const other = ada.calendar.addEvent(event, work.id)
  ada.calendar.deleteEvent(series.id)
  const contact = ada.contacts.addContact({ displayName: 'Bob' })
  ada.contacts.deleteContact(contact.id)
  await microsoft.settled()
  const reported = (index: number) =>
    receiver.received
      .filter(({ notification }) => notification.subscriptionId === ids[index])
      .map(({ notification }) => [notification.changeType, notification.resourceData?.id])
  expect(reported(0)).toEqual([
    ['created', series.id],
    ['updated', series.id],
    ['updated', series.id],
    ['created', other.id],
    ['deleted', series.id],
  ])
  expect(reported(1)).toEqual([['created', other.id]])
  expect(reported(2)).toEqual([
    ['created', contact.id],
    ['deleted', contact.id],
  ])
  expect(receiver.received[0]?.notification.resource).toBe(`Users/${ada.id}@${ada.tenant.id}/Events/${series.id}`)
})
