import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ExchangeSimulator } from '../src/index.ts'
import { type Answer, all, ask, basic, codes, envelope, openExchange, texts } from './ews-account.ts'
import {
  createFolder,
  deleteFolder,
  folderId,
  getEvents,
  getStreamingEvents,
  standard,
  subscribePull,
  subscribeStreaming,
  unsubscribe,
} from './ews-requests.ts'
import { envelopesOf } from './ews-schema.ts'

let time = Date.UTC(2026, 4, 1)
const { exchange, check, ...opened } = await openExchange({
  now: () => time,
  streaming: { minuteMs: 2000, heartbeatMs: 200, maxStreams: 3 },
})
beforeEach(() => exchange.endSubscriptions())
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

const subscriptionIn = (answer: Answer) => texts(answer.body, 'SubscriptionId')[0] ?? ''
const watermarkIn = (answer: Answer) => texts(answer.body, 'Watermark').at(-1) ?? ''
let folders = 0

async function makeFolder(): Promise<string> {
  const folder = `<t:Folder><t:DisplayName>Folder ${++folders}</t:DisplayName></t:Folder>`
  const made = await ask(exchange, createFolder(standard('msgfolderroot'), folder))
  return all(made.body, 'FolderId')[0]?.attributes.Id ?? ''
}

const eventsIn = (answer: Answer) =>
  all(answer.body, 'Notification')[0]?.children.filter(({ name }) => name.endsWith('Event')) ?? []

test('a pull subscription returns every event once, by watermarks', async () => {
  const made = await ask(exchange, subscribePull())
  const id = subscriptionIn(made)
  const quiet = await ask(exchange, getEvents(id, watermarkIn(made)))
  expect(eventsIn(quiet).map(({ name }) => name)).toEqual(['StatusEvent'])
  const folder = await makeFolder()
  const reported = await ask(exchange, getEvents(id, watermarkIn(quiet)))
  expect(eventsIn(reported).map(({ name }) => name)).toEqual(['CreatedEvent'])
  expect(all(reported.body, 'FolderId')[0]?.attributes.Id).toBe(folder)
  // Events are reported again until the client sends their watermark.
  expect(eventsIn(await ask(exchange, getEvents(id, watermarkIn(quiet))))).toHaveLength(1)
  const after = await ask(exchange, getEvents(id, watermarkIn(reported)))
  expect(eventsIn(after).map(({ name }) => name)).toEqual(['StatusEvent'])
  expect(codes(await ask(exchange, getEvents(id, 'AQAAAA==')))).toEqual(['ErrorInvalidWatermark'])
})

test('a subscription ends when it is unsubscribed or not polled, and belongs to one user', async () => {
  const made = await ask(exchange, subscribePull({}, 5))
  const ask2 = (user?: string) =>
    ask(exchange, getEvents(subscriptionIn(made), watermarkIn(made)), user === undefined ? {} : { user })
  expect(codes(await ask2('grace@exchange.example'))).toEqual(['ErrorSubscriptionAccessDenied'])
  time += 4 * 60_000
  expect(codes(await ask2())).toEqual(['NoError'])
  time += 6 * 60_000
  expect(codes(await ask2())).toEqual(['ErrorSubscriptionNotFound'])
  const other = await ask(exchange, subscribePull())
  expect(codes(await ask(exchange, unsubscribe(subscriptionIn(other))))).toEqual(['NoError'])
  expect(codes(await ask(exchange, unsubscribe(subscriptionIn(other))))).toEqual(['ErrorSubscriptionNotFound'])
})

test('a subscription of some folders returns only their events', async () => {
  const folder = await makeFolder()
  const made = await ask(exchange, subscribePull({ folders: folderId(folder) }))
  await makeFolder()
  await ask(exchange, deleteFolder(folderId(folder)))
  const reported = await ask(exchange, getEvents(subscriptionIn(made), watermarkIn(made)))
  expect(eventsIn(reported).map(({ name }) => name)).toEqual(['DeletedEvent'])
})

/** Reads a stream of events; `ended` has the received content and how it ended. */
async function openStream(simulator: ExchangeSimulator, ids: readonly string[]) {
  const response = await fetch(simulator.ewsUrl, {
    method: 'POST',
    headers: { 'content-type': 'text/xml', authorization: basic('ada@exchange.example') },
    body: envelope(getStreamingEvents(ids)),
  })
  let text = ''
  const decoder = new TextDecoder()
  const ended = (async () => {
    try {
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
      return 'end'
    } catch {
      return 'broken'
    }
  })()
  return { response, text: () => text, envelopes: () => envelopesOf(text), ended }
}

const statuses = (text: string) => [...text.matchAll(/<m:ConnectionStatus>(\w+)</g)].map(([, status]) => status)

test('a streaming subscription sends events as they occur, each in an envelope, and says when it ends', async () => {
  const id = subscriptionIn(await ask(exchange, subscribeStreaming()))
  const stream = await openStream(exchange, [id])
  await vi.waitFor(() => expect(stream.text()).toContain('StatusEvent'))
  const folder = await makeFolder()
  await vi.waitFor(() => expect(stream.text()).toContain(folder))
  expect(stream.envelopes().length).toBeGreaterThan(2)
  expect(await stream.ended).toBe('end')
  expect(statuses(stream.text())).toEqual(['OK', 'Closed'])
  // Events in the meantime wait for the next connection.
  const later = await makeFolder()
  const next = await openStream(exchange, [id])
  await vi.waitFor(() => expect(next.text()).toContain(later))
  exchange.endSubscriptions()
  expect(await next.ended).toBe('end')
  expect(next.text()).toContain('ErrorSubscriptionNotFound')
  expect(next.text()).toContain(`<t:SubscriptionId>${id}</t:SubscriptionId></m:ErrorSubscriptionIds>`)
})

test('a proxy that holds a stream back releases it only at its end', async () => {
  const { exchange: held, ...rest } = await openExchange({
    streaming: { minuteMs: 300, heartbeatMs: 100, holds: true },
  })
  const id = subscriptionIn(await ask(held, subscribeStreaming()))
  const response = await openStream(held, [id])
  expect(response.response.headers.get('transfer-encoding')).toBeNull()
  expect(await response.ended).toBe('end')
  expect(statuses(response.text())).toEqual(['OK', 'Closed'])
  expect(response.envelopes().length).toBeGreaterThan(3)
  await rest[Symbol.asyncDispose]()
})

test('connections of a stream are counted, dropped and muted', async () => {
  const id = subscriptionIn(await ask(exchange, subscribeStreaming()))
  const streams = await Promise.all([1, 2, 3].map(() => openStream(exchange, [id])))
  await vi.waitFor(() => expect(exchange.streamCount()).toBe(3))
  const fourth = await ask(exchange, getStreamingEvents([id]))
  expect(fourth.text).toContain('ErrorExceededConnectionCount')
  exchange.muteNotifications(true)
  const silent = await makeFolder()
  exchange.muteNotifications(false)
  exchange.dropStreams()
  expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(['broken', 'broken', 'broken'])
  expect(streams.map(({ text }) => text()).join()).not.toContain(silent)
  await vi.waitFor(() => expect(exchange.streamCount()).toBe(0))
})
