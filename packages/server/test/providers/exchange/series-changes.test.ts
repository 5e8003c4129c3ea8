/** Interrupted changes of series at Microsoft and Exchange: no changed or deleted occurrence is lost silently. */
import type { EventChange } from '@waypost/contract'
import { isCheck } from '@waypost/testing/level'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  accountOf,
  at,
  type Call,
  expectRefusal,
  expectStatus,
  type Json,
  span,
} from '../../conformance/accounts.ts'
import type { TestService } from '../../harness.ts'
import { createExchangeGrant, exchangePassword, openExchange, openExchangeService } from '../../peers/exchange.ts'
import { createMicrosoftGrant, openMicrosoft, openMicrosoftService } from '../../peers/microsoft.ts'

interface Opened {
  service: TestService
  applicationId: string
  account: Account
  /** Calls back on each response of the provider. */
  observe(listener: () => void): () => void
}

const email = 'ada@series.example'

async function openedBy(service: TestService, grant: (key: string) => Promise<{ id: string }>) {
  const { id: applicationId, key } = await service.createApplication('Series')
  const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
  return { service, applicationId, account: accountOf(call, { grantId: (await grant(key)).id, email }) }
}

const kinds: [string, (resources: AsyncDisposableStack) => Promise<Opened>][] = [
  [
    'Microsoft',
    async (resources) => {
      const { simulator } = resources.use(await openMicrosoft())
      const service = resources.use(await openMicrosoftService(simulator))
      simulator.addAccount({ email, name: 'Ada' })
      const opened = await openedBy(service, (key) => createMicrosoftGrant(service, simulator, { email, key }))
      return { ...opened, observe: simulator.observe }
    },
  ],
  [
    'Exchange',
    async (resources) => {
      const { simulator } = resources.use(await openExchange())
      const service = resources.use(await openExchangeService(simulator))
      simulator.addAccount({ email, name: 'Ada', password: exchangePassword })
      const opened = await openedBy(service, (key) => createExchangeGrant(service, { email, key }))
      return { ...opened, observe: simulator.observe }
    },
  ],
]

describe.each(kinds)('a series at %s', (_, open) => {
  const resources = new AsyncDisposableStack()
  let opened: Opened
  beforeAll(async () => {
    opened = await open(resources)
  })
  afterAll(() => resources.disposeAsync())

  const primary = { calendar_id: 'primary', notify_participants: false }
  const june = { start: at('2026-06-01T00:00'), end: at('2026-07-15T00:00'), limit: 200 }

  const occurrences = async (): Promise<Json[]> =>
    (await opened.account.listAll('primary', june)).sort((a, b) => a.when.start_time - b.when.start_time)
  const seen = async (): Promise<string[]> =>
    (await occurrences()).map(
      ({ title, location, when, busy }) =>
        `${new Date(when.start_time * 1000).toISOString().slice(5, 16)} ${title} ${location ?? '-'} ${busy}`,
    )

  async function newSeries(): Promise<string> {
    const { account } = opened
    const fields = { title: 'Series', when: span('2026-06-01T09:00'), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'] }
    const { id } = await account.create('primary', fields, { notify_participants: false })
    const [, second, third, fourth] = await occurrences()
    const path = (one: Json) => `/events/${encodeURIComponent(one.id)}`
    expectStatus(await account.delete(path(second), primary), 200)
    expectStatus(await account.put(path(third), { title: 'Changed', location: 'Elsewhere', busy: false }, primary), 200)
    expectStatus(await account.put(path(fourth), { when: span('2026-06-23T14:00') }, primary), 200)
    return id
  }
  const remove = async (id: string): Promise<void> => {
    expectStatus(await opened.account.delete(`/events/${encodeURIComponent(id)}`, primary), 200)
  }

  /** Changes a series like a process that ends after this many responses of the provider. */
  async function changeUntil(calls: number, id: string, change: EventChange): Promise<boolean> {
    const { service, applicationId, account } = opened
    const { sessions } = service.services.accounts
    const { database } = service.services.storage
    const end = new AbortController()
    let answered = 0
    const stop = opened.observe(() => {
      answered += 1
      if (answered === calls) end.abort(new Error('the process ended'))
    })
    const record = await sessions.find(applicationId, { by: 'id', value: account.grantId })
    const use = { queries: database, signal: () => end.signal, responseHeaders: {} }
    const update = sessions.operation(record, { resource: 'events', operation: 'update' }, use)
    try {
      await update({ event_id: id, calendar_id: 'primary' }, change)
      return true
    } catch (error) {
      if (!end.signal.aborted) throw error
      return false
    } finally {
      stop()
    }
  }

  const changes: [string, EventChange, string[]][] = [
    [
      'rule',
      { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=6'] },
      [
        '06-01T09:00 Series - true',
        '06-15T09:00 Changed Elsewhere false',
        '06-23T14:00 Series - true',
        '06-29T09:00 Series - true',
        '07-06T09:00 Series - true',
      ],
    ],
    [
      'time',
      { when: span('2026-06-02T10:00') },
      [
        '06-02T10:00 Series - true',
        '06-16T10:00 Changed Elsewhere false',
        '06-24T14:00 Series - true',
        '06-30T10:00 Series - true',
      ],
    ],
  ]
  test.each(changes)(
    'whose %s changes, cut off between any two calls, is finished by the repeated request',
    async (_what, change, expected) => {
      let isWhole = false
      let calls = 2
      // `npm test` tries every third place.
      for (; !isWhole; calls += isCheck ? 1 : 3) {
        const id = await newSeries()
        isWhole = await changeUntil(calls, id, change)
        await opened.account.change('primary', id, change, { notify_participants: false })
        expect(await seen(), `after ${calls} calls`).toEqual(expected)
        await remove(id)
      }
      // The series and its occurrences read, the series written, places found, occurrences written, the journal
      // cleared.
      expect(calls).toBeGreaterThan(5)
    },
  )

  test('reports which changed occurrences another rule has dropped', async () => {
    const id = await newSeries()
    const path = `/events/${encodeURIComponent(id)}`
    const answer = await opened.account.put(path, { recurrence: ['RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=3'] }, primary)
    expect(expectStatus(answer, 200).headers.get('x-dropped-occurrences')).toBe('20260622T090000Z')
    expect(await seen()).toEqual([
      '06-01T09:00 Series - true',
      '06-15T09:00 Changed Elsewhere false',
      '06-29T09:00 Series - true',
    ])
    await remove(id)
  })

  test('that is moved further than Exchange allows stays unchanged, and the error names the remedy', async () => {
    const id = await newSeries()
    const before = await seen()
    const path = `/events/${encodeURIComponent(id)}`
    const month = { recurrence: ['RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=4'] }
    expectRefusal(await opened.account.put(path, month, primary), /BYMONTHDAY/)
    expect(await seen()).toEqual(before)
    await remove(id)
  })
})
