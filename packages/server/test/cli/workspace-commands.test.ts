/** `waypost workspaces …`. */

import { oneEngineFor } from '@waypost/testing/engines'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doJobs } from '../../src/node.ts'
import { runHere } from '../command-line.ts'
import { openService, type TestService } from '../harness.ts'

describe.each(oneEngineFor(import.meta.url))('commands about workspaces on %s', (engine) => {
  const stack = new AsyncDisposableStack()
  let env: Record<string, string>
  let service: TestService
  let key = ''
  let usual = ''

  beforeAll(async () => {
    const { dataDir, databaseUrl } = stack.use(await migratedStore(engine))
    env = { WAYPOST_DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
    service = stack.use(await openService({ engine, dataDir, ...(databaseUrl ? { databaseUrl } : {}) }))
    key = (await service.createApplication('Travel')).key
    usual = (await service.call('GET', '/v3/applications', { key })).body.data.default_workspace_id
    await service.call('POST', '/v3/connectors', { key, body: { provider: 'virtual-calendar' } })
  })
  afterAll(() => stack.disposeAsync())

  const said = (...args: string[]) => runHere(['workspaces', ...args, '--app', 'Travel'], env)
  async function json(...args: string[]) {
    const { code, stdout, stderr } = await said(...args, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  const connect = async (email: string): Promise<string> => {
    const body = { provider: 'virtual-calendar', settings: { email } }
    return (await service.call('POST', '/v3/connect/custom', { key, body })).body.data.id
  }
  const homeOf = async (id: string): Promise<string> =>
    (await service.call('GET', `/v3/grants/${id}`, { key })).body.data.workspace_id

  test('a workspace is created, gets the grants of its domain and grants by hand, and the audit records it', async () => {
    const ann = await connect('ann@example.com')
    const bob = await connect('bob@example.org')
    const made = await json('create', 'Example Travel', '--domain', 'Example.com')
    expect(made).toMatchObject({ name: 'Example Travel', domain: 'example.com', auto_group: true, default: false })
    const { data } = (await service.call('GET', '/v3/workspaces', { key })).body
    expect(data).toHaveLength(2)
    expect(await json('list')).toEqual(data)
    expect((await said('list')).stdout).toMatch(/Default[\s\S]*Example Travel +example\.com +true +false/)

    expect(await json('group', '--domain', 'example.com')).toMatchObject({ job_id: expect.any(String) })
    await doJobs(service.services)
    expect(await homeOf(ann)).toBe(made.workspace_id)
    expect(await homeOf(bob)).toBe(usual)

    expect(await json('assign', 'example.com', 'bob@example.org')).toMatchObject({ grants_assigned: [bob] })
    expect(await homeOf(bob)).toBe(made.workspace_id)
    expect(await json('assign', 'default', bob)).toMatchObject({ workspace_id: usual })
    expect(await homeOf(bob)).toBe(usual)

    const audit = (await service.call('GET', '/v3/admin/audit', { admin: true })).body.data
    const actions = audit.flatMap(({ actor, action }: Record<string, string>) => (actor === 'command' ? [action] : []))
    expect(actions).toEqual([
      'workspaces.manualAssign',
      'workspaces.manualAssign',
      'workspaces.autoGroup',
      'workspaces.create',
    ])
  })

  test('invalid arguments are explained', async () => {
    expect((await said('create', '')).stderr).toContain('name')
    expect((await said('create', 'X', '--domain', 'ann@example.net')).stderr).toContain('without "@"')
    expect((await said('group', '--domain', 'https://example.net')).stderr).toContain('not a URL')
    expect((await said('assign', 'unknown.example', 'ann@example.com')).stderr).toContain('no workspace')
    expect((await said('assign', 'default', 'nobody@example.com')).stderr).toContain('no such grant')
  })
})
