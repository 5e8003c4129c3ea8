/** Workspaces: groups of grants by domain and by hand. */
import { randomUUID } from 'node:crypto'
import { sql } from '@waypost/store/engine/database'
import { getGrant, insertGrant } from '@waypost/store/tables/grants/grants'
import { enginesFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { groupSome } from '../../../src/grants/auto-grouping.ts'
import { awaitExchange, completeExchange } from '../../../src/grants/hosted-grants.ts'
import { silently } from '../../../src/grants/notify.ts'
import { authenticate } from '../../../src/grants/verify-credentials.ts'
import { doJobs } from '../../../src/node.ts'
import { openService, type TestService } from '../../harness.ts'

interface Workspace {
  workspace_id: string
  domain: string
  auto_group: boolean
  default: boolean
}

const jobs = sql<{ id: string; payload: string }>('')`select id, payload from outbox
   where kind = 'workspaces.group' and application_id = $1`

describe.each(enginesFor(import.meta.url))('workspaces on %s', (engine) => {
  let service: TestService
  let tenant: { id: string; key: string }
  let usual: string
  const at = '/v3/workspaces'

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key: tenant.key, ...(body === undefined ? {} : { body }) })
  const data = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(202)
    return answer.body.data
  }
  const make = (body: object): Promise<Workspace> => data('POST', at, { name: 'Some', ...body })
  const connect = (email: string, more: object = {}) =>
    call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings: { email }, ...more })
  const grantOf = async (email: string, more: object = {}): Promise<{ id: string; workspace_id: string }> => {
    const answer = await connect(email, more)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data
  }
  const homeOf = async (id: string): Promise<string> => (await data('GET', `/v3/grants/${id}`)).workspace_id
  const idsIn = async (workspace: string): Promise<string[]> =>
    (await data('GET', `/v3/grants?limit=200&order_by=asc&workspace_id=${workspace}`)).map(
      ({ id }: { id: string }) => id,
    )
  const group = async (filters: object = {}) => {
    const job = await data('POST', `${at}/auto-group`, filters)
    await doJobs(service.services)
    return job
  }
  /** Copies a grant, as many times as wanted, with addresses in a domain. */
  async function copyGrant(id: string, domain: string, times: number): Promise<void> {
    const { database } = service.services.storage
    await database.transaction(async (tx) => {
      const record = await getGrant(tx, tenant.id, id)
      if (!record) throw new Error('the grant is missing')
      for (let count = 0; count < times; count++) {
        const email = `copy${count}@${domain}`
        const grant = { ...record.grant, id: randomUUID(), email, external_id: null }
        await insertGrant(tx, { ...record, grant, emailKey: email })
      }
    })
  }

  beforeAll(async () => {
    service = await openService({ engine })
  })
  beforeEach(async () => {
    tenant = await service.createApplication('Grouped')
    await data('POST', '/v3/connectors', { provider: 'virtual-calendar', name: 'Virtual' })
    usual = (await data('GET', '/v3/applications')).default_workspace_id
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('every application has a default workspace, which cannot change or be deleted', async () => {
    const [only, ...others] = await data('GET', at)
    expect(others).toEqual([])
    expect(only).toMatchObject({ workspace_id: usual, application_id: tenant.id, domain: '', default: true })
    expect(only).toMatchObject({ auto_group: false, rule_ids: [] })
    expect(await data('GET', `${at}/${usual}`)).toEqual(only)
    expect(await data('PATCH', `${at}/${usual}`, { name: only.name, auto_group: false })).toEqual(only)
    for (const [method, body, words] of [
      ['PATCH', { name: 'Other' }, 'name: cannot change'],
      ['PATCH', { auto_group: true }, 'auto_group: cannot change'],
      ['DELETE', undefined, 'cannot be deleted'],
    ] as const) {
      const refused = await call(method, `${at}/${usual}`, body)
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(words)])
    }
    expect(await homeOf((await grantOf('ann@acme.test')).id)).toBe(usual)
  })

  test('a domain is stored in one form, and a path finds the workspace by it', async () => {
    const made = await make({ name: 'Bücher', domain: ' BÜCHER.test. ', auto_group: true })
    expect(made).toMatchObject({ domain: 'xn--bcher-kva.test', auto_group: true, default: false })
    for (const named of [made.workspace_id, 'xn--bcher-kva.test', encodeURIComponent('bücher.TEST')]) {
      expect(await data('GET', `${at}/${named}`)).toEqual(made)
    }
    expect((await grantOf('ann@BÜCHER.test')).workspace_id).toBe(made.workspace_id)
    const again = await call('POST', at, { name: 'Twin', domain: 'bücher.test' })
    expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining(made.workspace_id)])
    expect((await call('PATCH', `${at}/bücher.test`, { name: 'By domain' })).status).toBe(404)
    const changed = await data('PATCH', `${at}/${made.workspace_id}`, { name: 'Books', domain: 'bücher.test' })
    expect(changed).toMatchObject({ name: 'Books', domain: made.domain, auto_group: true })
  })

  test.each([
    [{ domain: '@acme.test' }, 'without "@"'],
    [{ domain: 'ann@acme.test' }, 'without "@"'],
    [{ domain: 'https://acme.test' }, 'not a URL'],
    [{ domain: 'acme.test/mail' }, 'not a URL'],
    [{ domain: '*.acme.test' }, 'names below it'],
    [{ domain: 'acme' }, 'such as example.com'],
    [{ domain: '192.0.2.1' }, 'such as example.com'],
    [{ domain: `${'a.'.repeat(140)}test` }, 'such as example.com'],
    [{ auto_group: true }, 'needs a domain'],
    [{ domain: '', auto_group: true }, 'needs a domain'],
    [{ policy_id: randomUUID() }, 'policies are not available'],
    [{ rule_ids: [randomUUID()] }, 'rules are not available'],
    [{ name: '' }, 'name'],
  ])('%j is refused', async (body, words) => {
    const refused = await call('POST', at, { name: 'Some', ...body })
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(words)])
    expect(await data('GET', at)).toHaveLength(1)
  })

  test('null and an empty list detach the policy and the rules, of which there are none', async () => {
    const made = await make({ policy_id: null, rule_ids: null })
    for (const workspace of [made.workspace_id, usual]) {
      for (const body of [{ policy_id: null }, { rule_ids: null }, { rule_ids: [] }]) {
        expect(await data('PATCH', `${at}/${workspace}`, body)).toMatchObject({ rule_ids: [] })
      }
    }
  })

  test('changes that would not take effect are refused', async () => {
    const byHand = await make({ policy_id: null, rule_ids: [], domain: '' })
    expect(byHand).toMatchObject({ domain: '', auto_group: false })
    for (const [body, words] of [
      [{}, 'at least one'],
      [{ auto_group: true }, 'needs a domain'],
      [{ domain: 'acme.test' }, 'domain: cannot change'],
      [{ policy_id: randomUUID() }, 'policies are not available'],
    ] as const) {
      const refused = await call('PATCH', `${at}/${byHand.workspace_id}`, body)
      expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(words)])
    }
    expect(await data('GET', `${at}/${byHand.workspace_id}`)).toEqual(byHand)
  })

  test('new grants join the workspace of their domain, unless it is off or another one is named', async () => {
    const acme = await make({ domain: 'acme.test', auto_group: true })
    const byHand = await make({})
    await make({ domain: 'off.test', auto_group: false })
    expect(await make({ domain: 'unsaid.test' })).toMatchObject({ auto_group: false })
    for (const [email, more, expected] of [
      ['ann@Acme.Test', {}, acme.workspace_id],
      ['ann@mail.acme.test', {}, usual],
      ['ann@off.test', {}, usual],
      ['ann@unsaid.test', {}, usual],
      ['meeting room', {}, usual],
      ['ben@acme.test', { workspace_id: byHand.workspace_id }, byHand.workspace_id],
      ['cat@acme.test', { workspace_id: usual }, usual],
      ['dan@acme.test', { workspace_id: null }, acme.workspace_id],
    ] as const) {
      expect({ email, home: (await grantOf(email, more)).workspace_id }).toEqual({ email, home: expected })
    }
    // Authenticating again moves nothing, unless the request names a workspace.
    expect((await grantOf('ben@acme.test')).workspace_id).toBe(byHand.workspace_id)
    expect((await grantOf('ben@acme.test', { workspace_id: acme.workspace_id })).workspace_id).toBe(acme.workspace_id)
    const unknown = await connect('eve@acme.test', { workspace_id: randomUUID() })
    expect([unknown.status, unknown.body.error.message]).toEqual([400, expect.stringContaining('workspace_id')])
  })

  test('a hosted sign-in joins the workspace that exists when its code is exchanged', async () => {
    const { database, secrets, log, clock } = service.services.storage
    const { providers } = service.services.accounts
    const owner = { id: tenant.id, workspaceId: usual, grantLimit: null }
    const request = { provider: 'virtual-calendar', settings: { email: 'ann@later.test' } }
    const trying = {
      providers,
      secrets,
      ioFor: (kind: string) => service.services.accounts.ioFor(kind, AbortSignal.timeout(10_000)),
    }
    const account = await authenticate(database, owner, request, trying)
    const now = clock.now()
    const tools = { secrets, log, now, notify: silently }
    const { grant } = await database.transaction((tx) =>
      awaitExchange(tx, owner, account, { ...tools, fixed: [], purgeAt: now + 60_000 }),
    )
    expect(grant.workspace_id).toBe(usual)
    const later = await make({ domain: 'later.test', auto_group: true })
    const visitor = { ip: '192.0.2.1', userAgent: null }
    await database.transaction((tx) => completeExchange(tx, owner, account, { ...tools, grantId: grant.id, visitor }))
    expect(await homeOf(grant.id)).toBe(later.workspace_id)
  })

  test('grants are assigned and removed by hand, and ids of others look like missing ones', async () => {
    const acme = await make({ domain: 'acme.test', auto_group: true })
    const [ann, ben] = [await grantOf('ann@acme.test'), await grantOf('ben@other.test')]
    const stranger = await service.createApplication('Stranger')
    const assign = (named: string, body: object) => data('POST', `${at}/${named}/manual-assign`, body)
    const path = { application_id: tenant.id, workspace_id: acme.workspace_id, domain: 'acme.test' }
    expect(
      await assign('acme.test', { assign_grants: [ben.id, ben.id, randomUUID()], remove_grants: [ann.id] }),
    ).toEqual({ ...path, grants_assigned: [ben.id], grants_removed: [ann.id] })
    expect([await homeOf(ann.id), await homeOf(ben.id)]).toEqual([usual, acme.workspace_id])
    expect(await assign(acme.workspace_id, { remove_grants: [ann.id] })).toMatchObject({
      ...{ grants_assigned: null, grants_removed: null },
    })
    expect(await assign(usual, { assign_grants: [ben.id] })).toMatchObject({ domain: '', grants_assigned: [ben.id] })
    const foreign = await service.call('POST', `${at}/${acme.workspace_id}/manual-assign`, {
      ...{ key: stranger.key, body: { assign_grants: [ann.id] } },
    })
    expect(foreign.status).toBe(404)
    const own = (await service.call('GET', at, { key: stranger.key })).body.data[0].workspace_id
    const theirs = await service.call('POST', `${at}/${own}/manual-assign`, {
      ...{ key: stranger.key, body: { assign_grants: [ann.id], remove_grants: [] } },
    })
    expect(theirs.body.data).toMatchObject({ grants_assigned: null, grants_removed: null })
    for (const [named, body] of [
      [acme.workspace_id, {}],
      [acme.workspace_id, { assign_grants: [], remove_grants: null }],
      [acme.workspace_id, { assign_grants: [ann.id], remove_grants: [ann.id] }],
      [acme.workspace_id, { assign_grants: Array.from({ length: 501 }, () => randomUUID()) }],
      [usual, { remove_grants: [ann.id] }],
    ] as const) {
      expect((await call('POST', `${at}/${named}/manual-assign`, body)).status).toBe(400)
    }
    expect(await assign(acme.workspace_id, { assign_grants: Array.from({ length: 500 }, () => randomUUID()) })).toEqual(
      { ...path, grants_assigned: null, grants_removed: null },
    )
  })

  test('a change of the grant moves it, and notifies the application', async () => {
    const acme = await make({ domain: 'acme.test', auto_group: true })
    const ann = await grantOf('ann@other.test')
    const moved = await data('PATCH', `/v3/grants/${ann.id}`, { workspace_id: acme.workspace_id })
    expect(moved.workspace_id).toBe(acme.workspace_id)
    expect(await idsIn(acme.workspace_id)).toEqual([ann.id])
    const refused = await call('PATCH', `/v3/grants/${ann.id}`, { workspace_id: randomUUID() })
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('workspace_id')])
  })

  test('auto-grouping moves grants of the default workspace, creates missing workspaces, and heeds the filters', async () => {
    const [ann, ben, cat, room] = [
      await grantOf('ann@acme.test'),
      await grantOf('ben@new.test'),
      await grantOf('cat@acme.test'),
      await grantOf('meeting room'),
    ]
    const byHand = await make({})
    await data('POST', `${at}/${byHand.workspace_id}/manual-assign`, { assign_grants: [cat.id] })
    const revoke = `/v3/admin/applications/${tenant.id}/grants/${ann.id}/revoke`
    expect((await service.call('POST', revoke, { admin: true })).status).toBe(200)
    const acme = await make({ domain: 'acme.test', auto_group: true })
    const homes = async () => Promise.all([ann, ben, cat, room].map(({ id }) => homeOf(id)))
    const job = await group({ specific_domain: 'ACME.test' })
    expect(job).toEqual({ job_id: expect.any(String), message: expect.any(String) })
    expect(await homes()).toEqual([usual, usual, byHand.workspace_id, usual])
    await group({ invalid_also: true, after_created_at: Math.ceil(service.services.storage.clock.now() / 1000) + 10 })
    expect(await homes()).toEqual([usual, usual, byHand.workspace_id, usual])
    await group({ specific_domain: 'acme.test', invalid_also: true })
    expect(await homes()).toEqual([acme.workspace_id, usual, byHand.workspace_id, usual])
    await group()
    const all: Workspace[] = await data('GET', at)
    const fresh = all.find(({ domain }) => domain === 'new.test')
    expect(fresh).toMatchObject({ name: 'new.test', auto_group: true })
    expect(await homes()).toEqual([acme.workspace_id, fresh?.workspace_id, byHand.workspace_id, usual])
    expect((await call('POST', `${at}/auto-group`, { specific_domain: 'https://acme.test' })).status).toBe(400)
    expect((await call('POST', `${at}/auto-group`, { after_created_at: 1_622_548_800_000 })).status).toBe(400)
  })

  test('a workspace that does not group gets no grants from the job', async () => {
    const ann = await grantOf('ann@acme.test')
    await make({ domain: 'acme.test', auto_group: false })
    await group()
    expect(await homeOf(ann.id)).toBe(usual)
  })

  test('a job that is interrupted continues where it stopped, and a second run of a step does nothing', async () => {
    const { database, log, clock } = service.services.storage
    const ann = await grantOf('ann@acme.test')
    await copyGrant(ann.id, 'acme.test', 1200)
    await copyGrant(ann.id, 'rest.test', 3)
    await make({ domain: 'rest.test', auto_group: false })
    const acme = await make({ domain: 'acme.test', auto_group: true })
    const { job_id } = await data('POST', `${at}/auto-group`, {})
    const waiting = async () => database.all(jobs, [tenant.id])
    const [first] = await waiting()
    const step = () => groupSome(database, first?.payload ?? '', { log, now: clock.now() })
    await step()
    const [second] = await waiting()
    expect(second?.id).toBe(job_id)
    expect(second?.payload).not.toBe(first?.payload)
    // The runner still believes in the first step, as after a crash.
    await step()
    expect((await waiting()).map(({ id }) => id)).toEqual([job_id])
    await doJobs(service.services)
    expect(await waiting()).toEqual([])
    const count = `/v3/admin/applications/${tenant.id}/grants/count?workspace_id=`
    const counted = async (id: string) => (await service.call('GET', count + id, { admin: true })).body.data
    expect(await counted(acme.workspace_id)).toEqual({ count: 1201, more: false })
    expect(await counted(usual)).toEqual({ count: 3, more: false })
    // Deleting a workspace with more grants than one step moves all of them.
    expect((await call('DELETE', `${at}/acme.test`)).status).toBe(200)
    expect(await counted(usual)).toEqual({ count: 1204, more: false })
    expect((await call('GET', `${at}/${acme.workspace_id}`)).status).toBe(404)
  })

  test('more than ten waiting jobs of an application are refused', async () => {
    const answers = []
    for (let count = 0; count < 11; count++) answers.push((await call('POST', `${at}/auto-group`, {})).status)
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    await doJobs(service.services)
    expect((await call('POST', `${at}/auto-group`)).status).toBe(200)
  })

  test('grants of a workspace are listed in pages', async () => {
    const acme = await make({ domain: 'acme.test', auto_group: true })
    const ids = []
    for (const name of ['ann', 'ben', 'cat']) {
      ids.push((await grantOf(`${name}@acme.test`)).id)
      await grantOf(`${name}@other.test`)
    }
    const query = `/v3/grants?workspace_id=${acme.workspace_id}&order_by=asc&limit=2`
    const first = await call('GET', query)
    const second = await call('GET', `${query}&page_token=${first.body.next_cursor}`)
    const offset = await call('GET', `${query}&offset=1`)
    const found = [first, second, offset].map(({ body }) => body.data.map(({ id }: { id: string }) => id))
    expect(found.map((page) => page.toSorted())).toEqual([found[0], found[1], found[2]].map((page) => page?.toSorted()))
    expect([...(found[0] ?? []), ...(found[1] ?? [])].toSorted()).toEqual(ids.toSorted())
    expect(second.body.next_cursor).toBeUndefined()
    expect(found[2]).toHaveLength(2)
  })

  test('no grant is ever in a workspace that is gone, whatever happens at the same time', async () => {
    const work: Promise<unknown>[] = []
    for (let round = 0; round < 8; round++) {
      const domain = `d${round}.test`
      const early = grantOf(`early@${domain}`)
      const flow = make({ domain }).then(async ({ workspace_id }) => {
        const assigned = early.then(({ id }) => call('POST', `${at}/${domain}/manual-assign`, { assign_grants: [id] }))
        const explicit = connect(`explicit@${domain}`, { workspace_id })
        const joined = connect(`joined@${domain}`)
        const deleted = round % 2 === 0 ? call('DELETE', `${at}/${workspace_id}`) : undefined
        await Promise.all([assigned, explicit, joined, deleted])
      })
      work.push(early, flow, connect(`late@${domain}`))
    }
    work.push(data('POST', `${at}/auto-group`, {}), doJobs(service.services))
    await Promise.all(work)
    await doJobs(service.services)
    const existing = new Set((await data('GET', at)).map(({ workspace_id }: Workspace) => workspace_id))
    const grants = await data('GET', '/v3/grants?limit=200')
    expect(grants.length).toBeGreaterThanOrEqual(24)
    for (const { email, workspace_id } of grants) {
      expect({ email, exists: existing.has(workspace_id) }).toEqual({ email, exists: true })
    }
  })
})
