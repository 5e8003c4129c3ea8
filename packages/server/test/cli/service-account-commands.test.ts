/** `waypost service-accounts …`, and the examples of docs/service-accounts.md. */
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { oneEngineFor } from '@waypost/testing/engines'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHere } from '../command-line.ts'
import { openService, type TestService } from '../harness.ts'
import { callSigned, signerOf } from '../signed-call.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
const run = promisify(execFile)

describe.each(oneEngineFor(import.meta.url))('commands about service accounts on %s', (engine) => {
  const stack = new AsyncDisposableStack()
  let env: Record<string, string>
  let service: TestService
  let application = ''
  let folder = ''

  beforeAll(async () => {
    const { dataDir, databaseUrl } = stack.use(await migratedStore(engine))
    env = { WAYPOST_DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
    service = stack.use(await openService({ engine, dataDir, ...(databaseUrl ? { databaseUrl } : {}) }))
    application = (await service.createApplication('Billing')).id
    folder = await mkdtemp(path.join(tmpdir(), 'waypost-service-account-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
  })
  afterAll(() => stack.disposeAsync())

  async function json(...args: string[]) {
    const { code, stdout, stderr } = await runHere(['service-accounts', ...args, '--json'], env)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  const create = (name: string, ...args: string[]) =>
    json('create', name, '--permissions', 'apikey.create,apikey.get', '--apps', 'Billing', ...args)

  test('a service account is created, blocked, unblocked and revoked, and the audit records it', async () => {
    const made = await create('Robot', '--expires-in', '30')
    expect(made).toMatchObject({ name: 'Robot', applications: [application], credential: { private_key_id: made.id } })
    const { credential, ...account } = made
    expect(await json('list')).toEqual([account])
    const status = async () =>
      (await callSigned(service, signerOf({ credential }), ['GET', `/v3/admin/applications/${application}/api-keys`]))
        .status
    expect(await status()).toBe(200)
    expect((await json('block', made.id)).status).toBe('blocked')
    expect(await status()).toBe(401)
    expect((await json('unblock', made.id)).status).toBe('active')
    expect(await status()).toBe(200)
    expect(await json('revoke', made.id)).toEqual({ id: made.id, status: 'revoked' })
    expect(await status()).toBe(401)
    const { data } = (await service.call('GET', `/v3/admin/audit?target=${made.id}`, { admin: true })).body
    expect(data.map(({ action }: { action: string }) => action.split('.')[1])).toEqual([
      'delete',
      'update',
      'update',
      'create',
    ])
  })

  test('a public key is read from a file, and invalid arguments are explained', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const file = path.join(folder, 'public.pem')
    await writeFile(file, publicKey.export({ type: 'spki', format: 'pem' }))
    const made = await create('Own key', '--public-key', file)
    expect(made.credential).toBeNull()
    await json('revoke', made.id)
    const said = async (...args: string[]) => (await runHere(['service-accounts', ...args], env)).stderr
    expect(await said('create', 'X')).toContain('permissions')
    expect(await said('create', 'X', '--permissions', 'everything')).toContain('permissions')
    const missing = path.join(folder, 'missing.pem')
    expect(await said('create', 'X', '--permissions', 'audit.get', '--public-key', missing)).toContain('cannot read')
    expect(await said('revoke', 'nobody')).toContain('no service account with this id')
  })

  test('the examples of the documentation make an API key', async () => {
    const { credential } = await create('Documented')
    await writeFile(path.join(folder, 'credential.json'), JSON.stringify(credential))
    await symlink(path.join(root, 'tools/node_modules'), path.join(folder, 'node_modules'))
    const page = await readFile(path.join(root, 'docs/service-accounts.md'), 'utf8')
    const examples = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code)
    expect(examples).toHaveLength(2)
    const surroundings = { ...process.env, WAYPOST_URL: await service.listen(), APPLICATION_ID: application }
    const printed: string[] = []
    for (const [index, code] of examples.entries()) {
      const file = path.join(folder, `example-${index}.mjs`)
      await writeFile(file, code)
      printed.push((await run(process.execPath, [file], { cwd: folder, env: surroundings })).stdout.trim())
    }
    expect(printed).toEqual([expect.stringMatching(/^200 wpk_/), expect.stringMatching(/^active \d+$/)])
  })
})
