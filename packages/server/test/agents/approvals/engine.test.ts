/** Approvals on both stores: decided once, executed at most once, and expired in time. */
import { randomBytes } from 'node:crypto'
import type { KeyRights } from '@waypost/contract'
import { readableHtml } from '@waypost/formats/html/readable'
import { engines } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApprovalStep } from '../../../src/agents/approvals/tools.ts'
import { effectRuleOf, effectRules } from '../../../src/agents/effects/effect-rules.ts'
import { visible } from '../../../src/agents/effects/effects.ts'
import { doJobs } from '../../../src/node.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { storeApproval, wantedApproval } from '../approval-setup.ts'

const steps: readonly ApprovalStep[] = ['decided', 'carried out', 'settled']
const all: Partial<KeyRights> = { operations: ['calendar.read', 'calendar.write', 'contacts.write', 'scheduling'] }

describe.each(engines)('approvals on %s', (engine) => {
  let service: TestService
  let clock: TestClock
  let applicationId: string
  let key: string
  let grantId: string
  let calendarId: string
  /** The step at which the next decision stops forever. */
  let stop: { at: ApprovalStep; reached(): void } | undefined
  beforeAll(async () => {
    clock = testClock()
    const failpoint = async (step: ApprovalStep): Promise<void> => {
      if (stop?.at !== step) return
      stop.reached()
      stop = undefined
      await new Promise(() => undefined)
    }
    service = await openService({ engine, overrides: { clock, approvalOptions: { failpoint } } })
    ;({ id: applicationId, key } = await service.createApplication('Approvals'))
    grantId = (await service.createGrant('vera@host.test', key)).id
    const made = await service.call('POST', `/v3/grants/${grantId}/calendars`, { key, body: { name: 'Work' } })
    calendarId = made.body.data.id
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const newKey = async (rights: object = all): Promise<{ id: string; api_key: string }> => {
    const path = `/v3/admin/applications/${applicationId}/api-keys`
    return (await service.call('POST', path, { admin: true, body: { name: 'Assistant', rights } })).body.data
  }
  const decide = (id: string, decision = 'approve'): Promise<Answer> =>
    service.call('POST', `/v3/approvals/${id}/${decision}`, { key, body: decision === 'reject' ? {} : undefined })
  const start = 1_950_000_000
  const eventBody = (title: string, participants: { email: string }[] = [{ email: 'guest@x.test' }]) => ({
    ...{ title, description: '<b>Agenda</b>', location: 'Room 1', participants },
    when: {
      start_time: start,
      end_time: start + 3_600,
      start_timezone: 'Europe/Berlin',
      end_timezone: 'Europe/Berlin',
    },
  })
  const path = (rest: string): string => `/v3/grants/${grantId}${rest}`
  const createEvent = (as: string, title: string): Promise<Answer> =>
    service.call('POST', path(`/events?calendar_id=${calendarId}`), { key: as, body: eventBody(title) })
  const titled = async (title: string): Promise<number> => {
    const window = `start=${start - 60}&end=${start + 7_200}&limit=200`
    const found = await service.call('GET', path(`/events?calendar_id=${calendarId}&${window}`), { key })
    return found.body.data.filter((event: { title: string }) => event.title === title).length
  }

  test('an invitation shows what will happen, and is sent once by concurrent approvals', async () => {
    const { api_key } = await newKey()
    const held = await createEvent(api_key, 'Meeting')
    expect(held.status).toBe(202)
    const { id, kinds, preview } = held.body.data
    expect(kinds).toEqual(['invite'])
    expect(preview).toMatchObject({
      ...{ subject: 'Meeting', text: 'Agenda', recipients: [{ role: 'participant', email: 'guest@x.test' }] },
    })
    const reported = Object.fromEntries(
      preview.details.map((each: { label: string; value: string }) => [each.label, each.value]),
    )
    expect(reported.When).toContain('(Europe/Berlin)')
    expect(reported.Place).toBe('Room 1')
    expect(await titled('Meeting')).toBe(0)
    const answers = await Promise.all(Array.from({ length: 8 }, () => decide(id)))
    for (const { body } of answers) expect(body.data).toEqual(answers[0]?.body.data)
    expect(answers[0]?.body.data.status).toBe('executed')
    expect(await titled('Meeting')).toBe(1)
  })

  test.each(steps)('an action is executed once if its process ends after "%s"', async (step) => {
    const { api_key } = await newKey()
    const title = `Interrupted ${step}`
    const { id } = (await createEvent(api_key, title)).body.data
    const { promise, resolve } = Promise.withResolvers<void>()
    stop = { at: step, reached: resolve }
    void decide(id)
    await promise
    // This node has no heartbeat, so its work counts as that of a dead process.
    clock.advance(6_000)
    await doJobs(service.services)
    const read = await service.call('GET', `/v3/approvals/${id}`, { key })
    expect(read.body.data).toMatchObject({ status: 'executed', result: { status: 200 } })
    expect(await titled(title)).toBe(1)
    expect((await decide(id)).body.data).toEqual(read.body.data)
  })

  test('an action without a response of the provider is retried after a share of its age, also at fractional times', async () => {
    const calls: number[] = []
    const oddClock = testClock(1_700_000_000_123.7)
    await using odd = await openService({ engine, overrides: { clock: oddClock } })
    const owner = await odd.createApplication('Odd')
    const grant = await odd.createGrant('odd@host.test', owner.key)
    odd.services.agents.approvals.carryOutWith(async () => {
      calls.push(odd.services.storage.clock.now())
      const isTemporary = calls.length < 4
      return { status: isTemporary ? 503 : 200, body: '{"data":{}}', isTemporary, isUnknown: false }
    })
    const { id } = await storeApproval(odd, { applicationId: owner.id, grantId: grant.id })
    await odd.call('POST', `/v3/approvals/${id}/approve`, { key: owner.key })
    for (const step of [5_001.7, 1_250, 1, 1_562, 2]) {
      oddClock.advance(step)
      await doJobs(odd.services)
    }
    expect(calls.map((at) => at - (calls[0] ?? 0))).toEqual([0, 5_002, 6_253, 7_817])
    const read = await odd.call('GET', `/v3/approvals/${id}`, { key: owner.key })
    expect(read.body.data.status).toBe('executed')
  })

  test.each([
    { outcome: 'unknown', isUnknown: true, max: 60_000 },
    { outcome: 'without effect', isUnknown: false, max: 17 * 60_000 },
  ])('an action whose outcome stays $outcome is settled within $most ms', async ({ isUnknown, max }) => {
    const ownClock = testClock(1_700_000_000_123.7)
    await using own = await openService({ engine, overrides: { clock: ownClock } })
    const owner = await own.createApplication('Unknown')
    const grant = await own.createGrant('unknown@host.test', owner.key)
    let calls = 0
    own.services.agents.approvals.carryOutWith(async () => {
      calls++
      const body = '{"error":{"message":"Provider request timed out."}}'
      return { status: isUnknown ? 504 : 503, body, isTemporary: true, isUnknown }
    })
    const { id } = await storeApproval(own, { applicationId: owner.id, grantId: grant.id })
    const at = `/v3/approvals/${id}`
    const read = async () => (await own.call('GET', at, { key: owner.key })).body.data
    await own.call('POST', `${at}/approve`, { key: owner.key })
    let age = 0
    const step = max / 60
    for (; (await read()).status === 'approved' && age < 20 * 60_000; age += step) {
      ownClock.advance(step)
      await doJobs(own.services)
    }
    expect(age).toBeLessThanOrEqual(max)
    expect(age).toBeGreaterThan(max / 2)
    expect(calls).toBeGreaterThan(5)
    const settled = await read()
    expect(settled.status).toBe('failed')
    expect(settled.reason.startsWith('It is unknown whether')).toBe(isUnknown)
    expect(settled.reason).toContain('Provider request timed out.')
  })

  test('deletions name what is deleted, and fail if it was changed', async () => {
    const { api_key } = await newKey()
    const made = await service.call('POST', path(`/events?calendar_id=${calendarId}`), {
      key,
      body: eventBody('Old', []),
    })
    const at = path(`/events/${made.body.data.id}?calendar_id=${calendarId}`)
    const held = await service.call('DELETE', at, { key: api_key })
    expect(held.body.data).toMatchObject({ kinds: ['delete'], preview: { subject: 'Old' } })
    await service.call('PUT', at, { key, body: { title: 'New' } })
    const failed = (await decide(held.body.data.id)).body.data
    expect(failed).toMatchObject({ status: 'failed', reason: expect.stringContaining('changed') })
    expect(await titled('New')).toBe(1)
    const again = await service.call('DELETE', at, { key: api_key })
    expect((await decide(again.body.data.id)).body.data.status).toBe('executed')
    expect(await titled('New')).toBe(0)
  })

  test('changes and cancellations of events notify old and new guests; harmless changes are not held', async () => {
    const { api_key } = await newKey()
    const made = await service.call('POST', path(`/events?calendar_id=${calendarId}`), {
      key,
      body: eventBody('Moved'),
    })
    const at = path(`/events/${made.body.data.id}?calendar_id=${calendarId}`)
    const body = { participants: [{ email: 'new@x.test' }] }
    const held = (await service.call('PUT', at, { key: api_key, body })).body.data
    expect(held.preview.recipients.map(({ email }: { email: string }) => email).sort()).toEqual([
      'guest@x.test',
      'new@x.test',
    ])
    const gone = (await service.call('DELETE', `${at}&notify_participants=false`, { key: api_key })).body.data
    expect(gone.kinds).toEqual(['invite', 'delete'])
    const quiet = { key: api_key, body: eventBody('Alone', []) }
    expect((await service.call('POST', path(`/events?calendar_id=${calendarId}`), quiet)).status).toBe(200)
    const limited = await newKey({ ...all, recipients: ['x.test'] })
    const other = {
      key: limited.api_key,
      body: eventBody('Evil', [{ email: 'a@x.test' }, { email: '"a@x.test"@evil.test' }]),
    }
    expect((await service.call('POST', path(`/events?calendar_id=${calendarId}`), other)).status).toBe(403)
  })

  test('a restricted key sees its own approvals, and cannot decide about them', async () => {
    const mine = await newKey()
    const { id } = (await createEvent(mine.api_key, 'Own')).body.data
    const other = (await newKey()).api_key
    expect((await service.call('GET', `/v3/approvals/${id}`, { key: mine.api_key })).status).toBe(200)
    expect((await service.call('GET', `/v3/approvals/${id}`, { key: other })).status).toBe(404)
    expect((await service.call('GET', '/v3/approvals', { key: other })).body.data).toEqual([])
    for (const decision of ['approve', 'reject', 'draft']) {
      const at = `/v3/approvals/${id}/${decision}`
      expect((await service.call('POST', at, { key: mine.api_key, body: {} })).status).toBe(403)
    }
    expect((await decide(id, 'draft')).status).toBe(409)
    expect((await decide(id, 'reject')).body.data.status).toBe('rejected')
  })

  test('an approval without a decision expires, and a notification is sent', async () => {
    const approval = await storeApproval(service, { applicationId, grantId })
    clock.advance(72 * 3_600_000 + 1_000)
    expect((await decide(approval.id)).status).toBe(409)
    await doJobs(service.services)
    const read = await service.call('GET', `/v3/approvals/${approval.id}`, { key })
    expect(read.body.data).toMatchObject({ status: 'expired', decided_by: null })
    // PostgreSQL shows a notification to readers of the stream some time after its commit.
    const types = async (): Promise<string[]> => {
      const reported = await service.call('GET', '/v3/notifications?limit=200', { key })
      return reported.body.data
        .filter(({ data }: { data: { object: { id?: string } } }) => data.object?.id === approval.id)
        .map(({ type }: { type: string }) => type)
    }
    await expect.poll(types).toEqual(['approval.requested', 'approval.expired'])
  })

  test('a credential has at most a hundred open approvals, and long texts are stored completely', async () => {
    const credential = { type: 'api_key', id: `many-${engine}`, name: 'Many' } as const
    const text = 'x'.repeat(300_000)
    const preview = { recipients: [], attachments: [], details: [], text }
    const long = await storeApproval(service, { applicationId, grantId }, { credential, preview })
    const listed = await service.call('GET', `/v3/approvals?credential_id=${credential.id}`, { key })
    expect(listed.body.data[0].preview).toMatchObject({ text: text.slice(0, 2_000), text_is_cut: true })
    const whole = await service.call('GET', `/v3/approvals/${long.id}`, { key })
    expect(whole.body.data.preview).toMatchObject({ text })
    expect(whole.body.data.preview.text_is_cut).toBeUndefined()
    for (let count = 1; count < 100; count++) await storeApproval(service, { applicationId, grantId }, { credential })
    await expect(storeApproval(service, { applicationId, grantId }, { credential })).rejects.toThrow('100 actions')
    const large = { ...wantedApproval({ applicationId, grantId }).action, mime: Buffer.alloc(25_000_001) }
    await expect(storeApproval(service, { applicationId, grantId }, { action: large })).rejects.toThrow('25 MB')
  })
})

test.runIf(isCheck)('twenty concurrent approvals on two nodes execute an action once, with one result', async () => {
  await using database = await migratedDatabase()
  const env = { WAYPOST_SECRET_KEY: randomBytes(32).toString('base64') }
  await using first = await openService({ databaseUrl: database.url, env })
  await using second = await openService({ databaseUrl: database.url, env })
  const { id: applicationId, key } = await first.createApplication('Nodes')
  const grant = await first.createGrant('nodes@host.test', key)
  const rights = { operations: ['calendar.write'] }
  const made = await first.call('POST', `/v3/admin/applications/${applicationId}/api-keys`, {
    admin: true,
    body: { name: 'A', rights },
  })
  const body = {
    title: 'Once',
    when: { start_time: 1_950_000_000, end_time: 1_950_003_600 },
    participants: [{ email: 'g@x.test' }],
  }
  const calendar = await first.call('POST', `/v3/grants/${grant.id}/calendars`, { key, body: { name: 'Work' } })
  const at = `/v3/grants/${grant.id}/events?calendar_id=${calendar.body.data.id}`
  const held = await first.call('POST', at, { key: made.body.data.api_key, body })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? first : second).call('POST', `/v3/approvals/${held.body.data.id}/approve`, { key }),
    ),
  )
  expect(answers[0]?.body.data.status).toBe('executed')
  for (const { body: answer } of answers) expect(answer.data).toEqual(answers[0]?.body.data)
  const events = await second.call('GET', `${at}&start=1949999000&end=1950009000`, { key })
  expect(events.body.data).toHaveLength(1)
})

describe('previews', () => {
  test('show hidden, conditional and quoted text, links and remote content', () => {
    const read = readableHtml(
      '<style>p{}</style><p>Hi <a href="https://evil.test/x">our site</a></p><blockquote>old</blockquote><!--[if mso]><p>for Outlook</p><![endif]--><div style="display:none">secret</div><svg><text>drawn</text></svg><img alt="logo" src="//cdn.test/a.png">',
    )
    for (const text of [
      'our site <https://evil.test/x>',
      'old',
      'for Outlook',
      'secret',
      'drawn',
      'logo //cdn.test/a.png',
    ]) {
      expect(read.text).toContain(text)
    }
    expect(read).toMatchObject({
      ...{ hidden: ['text that is not displayed'], doubts: ['text in a drawing', 'text for some mail programs only'] },
      ...{ embeds: true, remoteHosts: ['cdn.test'] },
    })
    expect(readableHtml('<p>plain</p>')).toEqual({
      text: 'plain',
      hidden: [],
      doubts: [],
      embeds: false,
      remoteHosts: [],
    })
  })

  test('show invisible characters as codes', () => {
    expect(visible('a\u202Eb\u0000c\nd')).toBe('a[U+202E]b[U+0000]c\nd')
  })

  test('every route that sends, invites or deletes has a rule', () => {
    expect(effectRuleOf('messages.send')).toBe('message')
    expect(effectRuleOf('messages.list')).toBe('nothing')
    const deleting = Object.entries(effectRules).filter(([id, rule]) => id.endsWith('.delete') && rule === 'nothing')
    // The trash, a schedule whose draft stays, sessions of guests, and agents, which no credential may change.
    expect(deleting.map(([id]) => id).sort()).toEqual([
      'agents.delete',
      'schedules.delete',
      'schedulingSessions.delete',
      'threads.delete',
    ])
  })
})
