/** `waypost people …` and the switch of the installation's password, on either store. */

import { enginesFor } from '@waypost/testing/engines'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHere } from '../command-line.ts'
import { openService, type TestService } from '../harness.ts'
import { accept, signInAs } from '../people-setup.ts'

describe.each(enginesFor(import.meta.url))('commands about people on %s', (engine) => {
  const stack = new AsyncDisposableStack()
  let env: Record<string, string>
  let service: TestService
  let application = ''

  beforeAll(async () => {
    const { dataDir, databaseUrl } = stack.use(await migratedStore(engine))
    env = { WAYPOST_DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
    service = stack.use(await openService({ engine, dataDir, ...(databaseUrl ? { databaseUrl } : {}) }))
    application = (await service.createApplication('Billing')).id
  })
  afterAll(() => stack.disposeAsync())

  const run = (...args: string[]) => runHere(args, env)
  async function json(...args: string[]) {
    const { code, stdout, stderr } = await run(...args, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  test('a person is invited by link, changed, blocked and removed, and the audit records it', async () => {
    expect((await run('dashboard', 'password', 'off')).stderr).toContain('no owner can sign in yet')
    const owner = await json('people', 'invite', 'Boss@example.com', '--role', 'owner', '--name', 'The Boss')
    expect(owner).toMatchObject({ email: 'boss@example.com', name: 'The Boss', role: 'owner', state: 'invited' })
    const token = owner.invitation_link.split('#invitation=')[1]
    expect((await accept(service, { token })).status).toBe(200)
    const viewer = await json('people', 'invite', 'v@example.com', '--role', 'viewer', '--apps', 'billing,Sandbox')
    expect(viewer.applications).toEqual([application, service.services.administration.installation.sandboxId])
    const link = await json('people', 'link', 'v@example.com')
    expect((await accept(service, { token: link.invitation_link.split('#invitation=')[1] })).status).toBe(200)
    expect(await json('people', 'change', 'V@example.com', '--apps', 'all', '--role', 'administrator')).toMatchObject({
      role: 'administrator',
      applications: 'all',
      state: 'active',
    })
    expect((await json('people', 'block', 'v@example.com')).state).toBe('blocked')
    expect((await signInAs(service, { email: 'v@example.com' })).status).toBe(401)
    expect((await json('people', 'unblock', 'v@example.com')).state).toBe('active')
    expect((await json('people', 'remove-totp', 'v@example.com')).has_totp).toBe(false)
    expect((await json('people', 'list')).map((each: { email: string }) => each.email)).toEqual([
      'boss@example.com',
      'v@example.com',
    ])
    expect(await json('people', 'remove', 'v@example.com')).toMatchObject({ state: 'removed' })
    expect((await run('people', 'remove', 'boss@example.com')).stderr).toContain('the last owner who can sign in')
    expect((await run('people', 'block', 'nobody@example.com')).stderr).toContain('no person with this address')
    expect((await run('people', 'invite', 'nobody')).code).toBe(2)
    expect((await run('people', 'change', 'boss@example.com')).code).toBe(2)
    expect((await run('people', 'invite', 'x@example.com', '--apps', 'Biling')).stderr).toContain('"Billing"')
    const { data } = (await service.call('GET', '/v3/admin/audit?actor=command', { admin: true })).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['people.create', 'people.invite', 'people.update', 'people.delete', 'people.removeTotp']),
    )
  })

  test('the password of the installation is switched off and on again', async () => {
    expect(await json('dashboard', 'password', 'off')).toEqual({ installation_password: false })
    expect((await service.call('GET', '/v3/admin/applications', { admin: true })).status).toBe(401)
    expect(await json('dashboard', 'password', 'on')).toEqual({ installation_password: true })
    expect((await service.call('GET', '/v3/admin/applications', { admin: true })).status).toBe(200)
    expect((await run('dashboard', 'password', 'maybe')).code).toBe(2)
  })
})
