/** Long lists for the administrator: order, filters, counts, and bounded work. */

import { enginesFor } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { isOnCitus } from '@waypost/testing/on-citus'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'
import { recordLike, seedApplications, seedAudit, seedGrants } from '../../seed-lists.ts'
import { type Judge, openPostgresqlJudge, recordStatements, sqliteJudge } from '../../store/statements/plans.ts'

interface Listed {
  id: string
  application_id: string
  email: string
  grant_status: string
  blocked: boolean
  provider: string
  created_at: number
  last_used_at: number | null
  branding: { name: string }
  environment: string
  action: string
  status: number
  at: number
}

const seeded = { sqlite: 2_300, postgresql: 1_200 }
const orders = ['asc', 'desc'] as const

describe.each(enginesFor(import.meta.url))('lists on %s', (engine) => {
  const held = new AsyncDisposableStack()
  let clock: TestClock
  let service: TestService
  let application: string
  let judge: Judge
  let requested = new Map<string, string>()
  let total = seeded[engine]

  beforeAll(async () => {
    clock = testClock()
    const url = engine === 'postgresql' ? held.use(await migratedDatabase()).url : undefined
    const place = url ? { databaseUrl: url } : {}
    service = held.use(await openService({ engine, overrides: { clock }, ...place }))
    const made = await service.createApplication('Lists')
    application = made.id
    await service.createGrant('first@one.test', made.key)
    const { database } = service.services.storage
    const like = await recordLike(database, application, 'first@one.test')
    await seedGrants(database, like, { count: total - 1, now: clock.now() - 10_000 })
    await seedAudit(database, { count: 3_000, now: clock.now() - 10_000, applicationId: application })
    await seedApplications(database, { count: 1_300, now: clock.now() - 10_000 })
    requested = recordStatements(database)
    judge = url ? await openPostgresqlJudge(url, held) : sqliteJudge(database)
  })
  afterAll(() => held.disposeAsync())

  const read = async (path: string) => (await service.call('GET', path, { admin: true })).body
  const grantsAt = () => `/v3/admin/applications/${application}/grants`

  /** Every page of a list, including empty pages with a next cursor. */
  const all = async (path: string, query: string): Promise<Listed[]> => {
    const rows: Listed[] = []
    for (let token = ''; ; ) {
      const page = await read(`${path}?${query}${token}`)
      expect(page.error).toBeUndefined()
      rows.push(...page.data)
      if (!page.next_cursor) return rows
      token = `&page_token=${page.next_cursor}`
    }
  }
  const grants = (query: string) => all(grantsAt(), `limit=200&${query}`)
  const audit = (query: string) => all('/v3/admin/audit', `limit=200&${query}`)
  const applications = (query: string) => all('/v3/admin/applications', `limit=200&${query}`)

  test('of grants have every order, with each grant once over all pages', async () => {
    const keyOf: Record<string, (grant: Listed) => string | number> = {
      created_at: ({ created_at }) => created_at,
      last_used_at: ({ last_used_at }) => last_used_at ?? 0,
      email: ({ email }) => email,
      grant_status: ({ grant_status }) => grant_status,
    }
    for (const [sort, key] of Object.entries(keyOf)) {
      for (const order of orders) {
        const found = await grants(`sort=${sort}&order=${order}`)
        expect(new Set(found.map(({ id }) => id)).size).toBe(total)
        expect(found).toHaveLength(total)
        const keys = found.map(key)
        // The store's own collation orders addresses.
        const sorted = sort === 'email' ? undefined : keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        if (sorted) expect(keys).toEqual(order === 'asc' ? sorted : sorted.toReversed())
      }
    }
    const up = (await grants('sort=email&order=asc')).map(({ email }) => email)
    const down = (await grants('sort=email&order=desc')).map(({ email }) => email)
    expect(down).toEqual(up.toReversed())
    expect(up[0]).toBe('first@one.test')
  })

  test('of grants are filtered by state, by block and by time, the same in every order', async () => {
    const everything = await grants('')
    const middle = everything[Math.floor(total / 2)]?.created_at ?? 0
    const uses = everything.flatMap(({ last_used_at }) => last_used_at ?? [])
    const used = uses.toSorted((a, b) => a - b)[Math.floor(uses.length / 2)] ?? 0
    const filters: Record<string, (grant: Listed) => boolean> = {
      'blocked=true': ({ blocked }) => blocked,
      'blocked=false': ({ blocked }) => !blocked,
      'grant_status=invalid&blocked=true': ({ grant_status, blocked }) => grant_status === 'invalid' && blocked,
      'provider=virtual-calendar&grant_status=invalid': ({ grant_status }) => grant_status === 'invalid',
      'provider=google': () => false,
      [`created_since=${middle}`]: ({ created_at }) => created_at >= middle,
      [`created_before=${middle}&search=person`]: ({ created_at, email }) =>
        created_at < middle && email.startsWith('person'),
      [`last_used_since=${used}`]: ({ last_used_at }) => last_used_at !== null && last_used_at >= used,
      [`last_used_before=${used}`]: ({ last_used_at }) => last_used_at === null || last_used_at < used,
      'search=PERSON77': ({ email }) => email.startsWith('person77'),
    }
    for (const [query, fits] of Object.entries(filters)) {
      const wanted = everything.filter(fits).map(({ id }) => id)
      expect(wanted.length > 0 || query === 'provider=google', query).toBe(true)
      for (const sort of ['created_at', 'last_used_at', 'email', 'grant_status']) {
        const found = (await grants(`${query}&sort=${sort}`)).map(({ id }) => id)
        if (sort === 'created_at') expect(found, query).toEqual(wanted)
        expect(found.toSorted(), `${query} by ${sort}`).toEqual(wanted.toSorted())
      }
      expect((await read(`${grantsAt()}/count?${query}`)).data, query).toEqual({ count: wanted.length, more: false })
    }
  }, 180_000)

  test('continue after the last row of a page, whatever is removed meanwhile', async () => {
    const six = await read(`${grantsAt()}?limit=6&sort=last_used_at`)
    const first = await read(`${grantsAt()}?limit=3&sort=last_used_at`)
    const headers = { 'x-waypost-application': application }
    const gone = await service.call('DELETE', `/v3/grants/${first.data[2].id}`, { admin: true, headers })
    expect(gone.status).toBe(200)
    total -= 1
    const second = await read(`${grantsAt()}?limit=3&sort=last_used_at&page_token=${first.next_cursor}`)
    expect([...first.data, ...second.data]).toEqual(six.data)
    const other = await service.call('GET', `${grantsAt()}?limit=3&sort=email&page_token=${first.next_cursor}`, {
      admin: true,
    })
    expect(other.status, 'a cursor of another order').toBe(400)
  })

  test('of audit entries are filtered by action prefix, outcome, object and time', async () => {
    const everything = await audit('')
    expect(everything.length).toBeGreaterThan(3_000)
    const since = everything[2_000]?.at ?? 0
    const filters: Record<string, (entry: Listed & { target: string; actor: string }) => boolean> = {
      'action=apiKeys.create': ({ action }) => action === 'apiKeys.create',
      'action=apiKeys.*': ({ action }) => action.startsWith('apiKeys.'),
      'action=api*': ({ action }) => action.startsWith('api'),
      'action=api_eys.*': () => false,
      'outcome=refused': ({ status }) => status >= 400,
      'outcome=done&actor=password': ({ status, actor }) => status < 400 && actor === 'password',
      'target=target-7': ({ target }) => target === 'target-7',
      [`application_id=${application}&action=webhooks.*`]: ({ application_id, action }) =>
        application_id === application && action.startsWith('webhooks.'),
      [`since=${since}`]: ({ at }) => at >= since,
      [`before=${since}&action=session.create`]: ({ at, action }) => at < since && action === 'session.create',
    }
    for (const [query, fits] of Object.entries(filters)) {
      const wanted = (everything as never[]).filter(fits) as Listed[]
      expect(wanted.length > 0 || query.includes('_eys'), query).toBe(true)
      expect(await audit(query), query).toEqual(wanted)
      expect(await audit(`${query}&order=asc`), query).toEqual(wanted.toReversed())
    }
  })

  test('of applications and of their usage are paged, with fifty by default', async () => {
    const first = await read('/v3/admin/applications')
    const whole = { data: await applications('') }
    expect(whole.data).toHaveLength(1_302)
    expect(first.data).toEqual(whole.data.slice(0, 50))
    expect(first.next_cursor).toBeTypeOf('string')
    const usage = await read('/v3/admin/usage')
    expect(usage.data.map(({ application_id }: Listed) => application_id)).toEqual(
      first.data.map(({ application_id }: Listed) => application_id),
    )
    const next = await read(`/v3/admin/usage?limit=1&page_token=${encodeURIComponent(usage.next_cursor)}`)
    expect(next.data[0].application_id).toBe(whole.data[50]?.application_id)
    const one = await read('/v3/admin/applications?limit=2')
    expect(one.data).toEqual(whole.data.slice(0, 2))
    expect(one.next_cursor).toBeTypeOf('string')
    const names = (await applications('sort=name')).map(({ branding }) => branding.name)
    expect(names.map((name) => name.toLowerCase())).toEqual(names.map((name) => name.toLowerCase()).toSorted())
    const found = await applications('search=tenant 77&environment=staging')
    const wanted = whole.data.filter(
      ({ branding, environment }: Listed) => branding.name.startsWith('Tenant 77') && environment === 'staging',
    )
    expect(wanted.length).toBeGreaterThan(0)
    expect(found).toEqual(wanted)
    expect(await applications('blocked=true')).toEqual(whole.data.filter(({ blocked }: Listed) => blocked))
    const few = whole.data.slice(7, 9).map(({ application_id }: Listed) => application_id)
    expect(await applications(`application_id=${few.join(',')}`)).toEqual(whole.data.slice(7, 9))
    expect(await applications(`search=${few[0]}`)).toEqual([whole.data[7]])
  })

  test('of applications find a changed name and sort by it', async () => {
    const { key } = await service.createApplication('Aardvark')
    await service.call('PATCH', '/v3/applications', { key, body: { branding: { name: 'ÉCLAIR' } } })
    expect((await applications('search=éclair')).map(({ branding }) => branding.name)).toEqual(['ÉCLAIR'])
    expect(await applications('search=aardvark')).toEqual([])
  })

  // On Citus, plans name the tables of shards.
  test.skipIf(isOnCitus)('never scan or sort a whole table, in any order and with any filter', async () => {
    const statements = [...requested].filter(([, name]) =>
      /^(grants\.search|audit\.list|applications\.search)/.test(name),
    )
    expect(statements.length).toBeGreaterThan(40)
    const bad: string[] = []
    // Reading a page from an index's end is not a full scan; only a few applications are selected by id.
    const paged = /^SCAN \w+ USING (COVERING )?INDEX (audit_by_time|applications_by_(creation|name))$/
    const named = (text: string): boolean => / id in \(/.test(text)
    for (const [text, name] of statements) {
      const wrong = (await judge(text)).filter((each) => !paged.test(each) && !named(text))
      bad.push(...wrong.map((each) => `${name}: ${each} in ${text}`))
    }
    expect(bad).toEqual([])
  })
})

describe('a search that finds nothing', () => {
  // Of more grants than a call checks.
  test.runIf(isCheck)(
    'checks a bounded number of grants in a call, resumes where it stopped, and counts that far',
    async () => {
      await using service = await openService()
      const { id, key } = await service.createApplication('Long')
      await service.createGrant('first@one.test', key)
      const { database, clock } = service.services.storage
      const like = await recordLike(database, id, 'first@one.test')
      await seedGrants(database, like, { count: 22_500, now: clock.now() })
      let statements = 0
      const { get, all } = database
      Object.assign(database, {
        get: ((...args) => {
          statements += 1
          return get(...args)
        }) as typeof get,
        all: ((...args) => {
          statements += 1
          return all(...args)
        }) as typeof all,
      })
      const at = `/v3/admin/applications/${id}/grants`
      const first = (await service.call('GET', `${at}?search=nobody`, { admin: true })).body
      expect(first.data).toEqual([])
      expect(first.next_cursor).toBeTypeOf('string')
      expect(statements, '20 pieces, of two statements each, and the application').toBeLessThan(50)
      const second = (await service.call('GET', `${at}?search=nobody&page_token=${first.next_cursor}`, { admin: true }))
        .body
      expect([second.data, second.next_cursor]).toEqual([[], undefined])
      const count = async (query: string) =>
        (await service.call('GET', `${at}/count?${query}`, { admin: true })).body.data
      expect(await count('')).toEqual({ count: 10_000, more: true })
      expect(await count('search=nobody')).toEqual({ count: 0, more: false })
      expect(await count('grant_status=invalid')).toEqual({ count: 2_250, more: false })
    },
    120_000,
  )
})
