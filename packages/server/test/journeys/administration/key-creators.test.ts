/** The creator of an API key, and the key's fate when that person leaves. */

import { oneEngineFor } from '@waypost/testing/engines'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHere } from '../../command-line.ts'
import { openService, type TestService } from '../../harness.ts'
import { type SignedInPerson, signedInPerson } from '../../people-setup.ts'

const forget = sql('test.forgetCreator', 'update api_keys set creator = null where application_id = $1 and id = $2')

describe.each(oneEngineFor(import.meta.url))('API keys on %s', (engine) => {
  const stack = new AsyncDisposableStack()
  let env: Record<string, string>
  let service: TestService
  let owner: SignedInPerson
  let applicationId: string
  let number = 0

  beforeAll(async () => {
    const { dataDir, databaseUrl } = stack.use(await migratedStore(engine))
    env = { WAYPOST_DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
    service = stack.use(await openService({ engine, dataDir, ...(databaseUrl ? { databaseUrl } : {}) }))
    owner = await signedInPerson(service, { email: 'owner@example.com', role: 'owner' })
    applicationId = (await service.createApplication('Billing')).id
  })
  afterAll(() => stack.disposeAsync())

  const keysPath = () => `/v3/admin/applications/${applicationId}/api-keys`
  /** An administrator who created a key for each name. */
  async function keymaker(...names: string[]) {
    const email = `maker-${++number}@example.com`
    const person = await signedInPerson(service, { email, name: `Maker ${number}`, role: 'administrator' })
    const keys: { id: string; api_key: string }[] = []
    for (const name of names) keys.push((await person.call('POST', keysPath(), { body: { name } })).body.data)
    return { person, keys }
  }
  const works = async (key: { api_key: string } | undefined): Promise<boolean> =>
    (await service.call('GET', '/v3/applications', { key: key?.api_key ?? '' })).status === 200
  const json = async (...args: string[]) => JSON.parse((await runHere([...args, '--json'], env)).stdout)

  test('show which person or command created them', async () => {
    const { person, keys } = await keymaker('robot')
    expect(keys[0]).toMatchObject({ created_by: { type: 'person', person_id: person.id, name: 'Maker 1' } })
    const shared = await service.call('POST', keysPath(), { admin: true, body: { name: 'shared' } })
    expect(shared.body.data.created_by).toEqual({ type: 'installation', person_id: null, name: null })
    const made = await json('keys', 'create', 'By hand', '--app', 'Billing')
    expect(made.created_by.type).toBe('command')
    await service.services.storage.database.run(forget, [applicationId, shared.body.data.id])
    const listed = (await owner.call('GET', keysPath())).body.data
    const types = Object.fromEntries(
      listed.map((key: { name: string; created_by: { type: string } }) => [key.name, key.created_by.type]),
    )
    expect(types).toMatchObject({ robot: 'person', shared: 'unknown', 'By hand': 'command' })
    expect(await json('keys', 'list', '--app', 'Billing')).toEqual(listed)
    const table = (await runHere(['keys', 'list', '--app', 'Billing'], env)).stdout
    expect(table).toMatch(/CREATED_BY[\s\S]*Maker 1[\s\S]*command/)
    const sandbox = await json('keys', 'list')
    expect(sandbox[0].created_by.type).toBe('start')
  })

  test('stay valid when their creator is removed; the response lists them, and they can be revoked later', async () => {
    const { person, keys } = await keymaker('day', 'night')
    await service.call('DELETE', `${keysPath()}/${keys[0]?.id}`, { admin: true })
    const path = `/v3/admin/people/${person.id}`
    expect((await person.call('GET', `${path}/api-keys`)).status).toBe(403)
    const removed = await owner.call('DELETE', path)
    expect(removed.body.data).toMatchObject({
      api_keys_revoked: false,
      api_keys: [{ name: 'night', status: 'active' }],
    })
    expect(await works(keys[1])).toBe(true)
    const left = await owner.call('GET', `${path}/api-keys`)
    expect(left.body.data).toMatchObject([{ name: 'night', created_by: { person_id: person.id } }])
    const revoked = await owner.call('DELETE', `${path}/api-keys`)
    expect(revoked.body.data).toMatchObject({
      api_keys_revoked: true,
      api_keys: [{ name: 'night', status: 'revoked' }],
    })
    expect(await works(keys[1])).toBe(false)
    expect((await owner.call('GET', `${path}/api-keys`)).body.data).toEqual([])
  })

  test('are revoked on request with a removal, a block or another role, and the audit names each', async () => {
    const cases = [
      async ({ id }: SignedInPerson) => owner.call('DELETE', `/v3/admin/people/${id}?revoke_api_keys=true`),
      async ({ id }: SignedInPerson) =>
        owner.call('PATCH', `/v3/admin/people/${id}`, { body: { blocked: true, revoke_api_keys: true } }),
      async ({ id }: SignedInPerson) =>
        owner.call('PATCH', `/v3/admin/people/${id}`, { body: { role: 'viewer', revoke_api_keys: true } }),
    ]
    for (const act of cases) {
      const { person, keys } = await keymaker('one', 'two')
      const { person: other, keys: others } = await keymaker('of somebody else')
      const answer = await act(person)
      expect([answer.status, answer.body.error]).toEqual([200, undefined])
      expect(answer.body.data.api_keys.map((key: { id: string }) => key.id).toSorted()).toEqual(
        keys.map(({ id }) => id).toSorted(),
      )
      expect(answer.body.data.api_keys_revoked).toBe(true)
      expect(await Promise.all(keys.map(works))).toEqual([false, false])
      expect(await works(others[0])).toBe(true)
      const audit = await owner.call('GET', `/v3/admin/audit?person_id=${owner.id}&action=apiKeys.delete`)
      const targets = audit.body.data.map(({ target }: { target: string }) => target)
      expect(targets).toEqual(expect.arrayContaining(keys.map(({ id }) => id)))
      expect(other.id).not.toBe(person.id)
    }
  })

  test('of a demoted person stay valid, are listed, and are not revoked by a refused change', async () => {
    const { person, keys } = await keymaker('kept')
    const demoted = await owner.call('PATCH', `/v3/admin/people/${person.id}`, { body: { role: 'viewer' } })
    expect(demoted.body.data).toMatchObject({ role: 'viewer', api_keys_revoked: false, api_keys: [{ name: 'kept' }] })
    const refused = await owner.call('PATCH', `/v3/admin/people/${person.id}`, {
      body: { applications: ['none'], revoke_api_keys: true },
    })
    expect(refused.status).toBe(400)
    expect(await works(keys[0])).toBe(true)
  })

  test('are listed by the commands that block and remove their creator, and revoked with --revoke-keys', async () => {
    const { person, keys } = await keymaker('kept', 'too')
    const blocked = await runHere(['people', 'block', person.email], env)
    expect(blocked.stderr).toMatch(/stay valid[\s\S]*kept[\s\S]*--revoke-keys/)
    expect(await works(keys[0])).toBe(true)
    const removed = await json('people', 'remove', person.email, '--revoke-keys')
    expect(removed).toMatchObject({ state: 'removed', api_keys_revoked: true })
    expect(removed.api_keys).toHaveLength(2)
    expect(await Promise.all(keys.map(works))).toEqual([false, false])
    const audit = await owner.call('GET', '/v3/admin/audit?actor=command&action=apiKeys.delete')
    expect(audit.body.data.map(({ target }: { target: string }) => target)).toEqual(
      expect.arrayContaining(keys.map(({ id }) => id)),
    )
  })
})
