/** What a copy of the store reveals, and how its key is rotated and lost. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createKeyFile, keyRingFromFile } from '@waypost/platform/crypto/key-ring'
import { createSecrets } from '@waypost/platform/crypto/secrets'
import type { Provider } from '@waypost/providers/provider'
import { providers } from '@waypost/providers/registry'
import type { Database } from '@waypost/store/engine/database'
import { sealedColumns, sealedValues } from '@waypost/store/sealing/sealed-values'
import { readFact } from '@waypost/store/tables/applications/installation'
import { type Engine, engines } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { openListener } from '@waypost/testing/listener'
import { migratedStore } from '@waypost/testing/peers/test-stores'
import { processEnvironment, programFile } from '@waypost/testing/programs'
import { sql } from '@waypost/testing/statement'
import { describe, expect, test } from 'vitest'
import { keyCheckContext, renewDataKey, rewrapAll } from '../src/applications/secret-key.ts'
import { secretsRotate } from '../src/cli/store.ts'
import { ConfigError } from '../src/config.ts'
import type { BuiltServices } from '../src/services/services.ts'
import { runHere } from './command-line.ts'
import { openService, type TestService } from './harness.ts'
import { authUrl, fieldsOf, redirectUri, resultOf, visitorOf } from './journeys/sign-in/hosted-visitor.ts'
import { goodPassword, invite, setUpTotp, signedInPerson } from './people-setup.ts'

/** A store that outlives the services opened on it. */
interface Site extends AsyncDisposable {
  dataDir: string
  keyFile: string
  databaseUrl: string | undefined
  /** The settings of the store, for commands. */
  settings: Record<string, string>
  open(env?: Record<string, string>): Promise<TestService>
}

async function newSite(engine: Engine): Promise<Site> {
  const store = await migratedStore(engine)
  const { dataDir, databaseUrl } = store
  const overrides = {
    providers: { ...providers, imap },
    findMailExchangers: async () => [],
    findService: async () => undefined,
  }
  return {
    dataDir,
    keyFile: path.join(dataDir, 'secret.key'),
    databaseUrl,
    settings: {
      ...processEnvironment,
      WAYPOST_DATA_DIR: dataDir,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    },
    open: (env) => openService({ dataDir, databaseUrl, env, overrides }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

/** Opens a service on a site for the length of some work. */
async function visit(
  site: Site,
  env: Record<string, string>,
  work: (service: TestService) => Promise<unknown>,
): Promise<void> {
  await using service = await site.open(env)
  await work(service)
}

/** A provider with a password, like IMAP: the way in which secrets reach a grant. */
const imap: Provider & { messages: object } = {
  kind: 'imap',
  messages: { send: async () => ({}) },
  form: providers.imap.form,
  authenticate: async ({ imap_username: username, imap_password: password }) => ({
    email: String(username),
    name: null,
    providerUserId: null,
    scope: [],
    settings: { imap_username: username },
    credentials: { imap_password: password },
    tokens: { accessToken: given.providerToken, expiresAt: Date.now() + 3_600_000 },
  }),
}

const given = {
  sandboxClient: 'CANARY sandbox client/secret+&=é',
  connector: 'CANARY-connector-client-secret?/+ü"\\',
  changedConnector: 'CANARY-changed-client-secret~%20',
  credential: 'CANARY-credential-client-secret:@!',
  privateKey: '-----BEGIN PRIVATE KEY-----\nCANARY+private/key==\n-----END PRIVATE KEY-----\n',
  adminConsent: 'CANARY-admin-consent-secret',
  mailPassword: 'CANARY mail pässword {}',
  message: 'CANARY text of a message that waits',
  providerToken: 'CANARY-provider-access-token',
  formPassword: 'CANARY pässword in a form',
}

/** Stores every kind of secret in a service, through the API. Returns all of them by name. */
async function fill(service: TestService): Promise<Record<string, string>> {
  await using listener = await openListener()
  const { key } = await service.createApplication('Full')
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const send = async (method: string, target: string, body: unknown): Promise<any> => {
    const headers = { 'idempotency-key': randomUUID() }
    const answer = await service.call(method, target, { key, body, headers })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  const client = (secret: string) => ({ client_id: 'open-client-id', client_secret: secret })
  await send('POST', '/v3/connectors', { provider: 'google', settings: client(given.connector) })
  await send('POST', '/v3/connectors', { provider: 'microsoft', settings: client(given.connector) })
  await send('PATCH', '/v3/connectors/microsoft', { settings: client(given.changedConnector) })
  await send('POST', '/v3/connectors', { provider: 'imap' })
  for (const [name, credential_type, credential_data] of [
    ['One', 'connector', client(given.credential)],
    ['Two', 'serviceaccount', { private_key_id: '1', private_key: given.privateKey, client_email: 'a@example.com' }],
    ['Three', 'adminconsent', { tenant: 't', client_id: 'c', client_secret: given.adminConsent }],
  ] as const) {
    await send('POST', '/v3/connectors/google/creds', { name, credential_type, credential_data })
  }
  for (const username of ['one@example.com', 'two@example.com']) {
    const settings = { imap_username: username, imap_password: given.mailPassword }
    const { data } = await send('POST', '/v3/connect/custom', { provider: 'imap', settings })
    // The text of a scheduled message is sealed, too.
    const message = { to: [{ email: 'bob@example.com' }], body: given.message, is_plaintext: true }
    const send_at = Math.floor(Date.now() / 1000) + 3_600
    await send('POST', `/v3/grants/${data.id}/messages/send`, { ...message, send_at })
  }
  const hosted = await signInTwice(service, key)
  const webhookSecrets: Record<string, string> = {}
  for (const name of ['firstWebhook', 'secondWebhook']) {
    const destination = { trigger_types: ['event.created'], webhook_url: `${listener.url}/${name}` }
    const { data } = await send('POST', '/v3/webhooks', destination)
    const rotated = await send('POST', `/v3/webhooks/rotate-secret/${data.id}`, {})
    webhookSecrets[`${name}Former`] = data.webhook_secret
    webhookSecrets[name] = rotated.data.webhook_secret
  }
  const people = await addPeople(service)
  const keys = `/v3/admin/applications/${service.services.administration.installation.sandboxId}/api-keys`
  const headers = { 'idempotency-key': randomUUID() }
  const made = await service.call('POST', keys, { admin: true, body: { name: 'Kept answer' }, headers })
  expect(made.status).toBe(200)
  return {
    ...given,
    ...webhookSecrets,
    ...hosted,
    ...people,
    apiKey: service.apiKey,
    applicationKey: key,
    adminKey: made.body.data.api_key,
    adminPassword: service.adminPassword,
  }
}

/** Two people with second factors, one confirmed and one in setup. Returns their secrets by name. */
async function addPeople(service: TestService): Promise<Record<string, string>> {
  const held: Record<string, string> = { personPassword: goodPassword }
  for (const name of ['firstPerson', 'secondPerson']) {
    const invited = await invite(service, { email: `${name}@example.com`, role: 'viewer' })
    const person = await signedInPerson(service, { email: `${name}-2@example.com`, role: 'viewer' })
    const { secret, recoveryCodes } = await setUpTotp(person, () => service.services.storage.clock.now())
    const begun = await person.call('POST', '/v3/admin/account/totp', { body: { current_password: goodPassword } })
    held[`${name}Invitation`] = invited.token
    held[`${name}Totp`] = secret
    held[`${name}PendingTotp`] = begun.body.data.secret
    held[`${name}RecoveryCode`] = recoveryCodes[0] ?? ''
    held[`${name}Session`] = person.headers.cookie?.split('=')[1] ?? ''
  }
  return held
}

/**
 * Two users in the middle of a provider's sign-in, and two whose codes are not exchanged yet. Returns their secrets by
 * name.
 */
async function signInTwice(service: TestService, key: string): Promise<Record<string, string>> {
  await service.call('POST', '/v3/applications/redirect-uris', { key, body: { url: redirectUri } })
  const { application_id: id } = (await service.call('GET', '/v3/applications', { key })).body.data
  const held: Record<string, string> = {}
  for (const number of ['first', 'second']) {
    const visitor = visitorOf(service)
    const left = await visitor.get(authUrl(id, { provider: 'google' }))
    held[`${number}State`] = new URL(left.location ?? '').searchParams.get('state') ?? ''
    const email = `${number}@hosted.test`
    const form = await visitor.get(
      (await visitor.get(authUrl(id, { provider: 'imap', login_hint: email }))).location ?? '',
    )
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(form.text) ?? []
    const fields = { ...fieldsOf(form.text), imap_host: 'mail.hosted.test', imap_password: given.formPassword }
    held[`${number}Code`] = resultOf((await visitor.post(action, fields)).location).code ?? ''
    held[`${number}Cookie`] = [...visitor.cookies.values()].join()
  }
  expect(Object.values(held).every((value) => value.length >= 43)).toBe(true)
  return held
}

/** The forms in which a secret could appear in a text or among other bytes. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  // In the middle of a longer text, base64 has one of three alignments; the outer characters depend on the neighbors.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : shift + 1)
      .replace(/.?=*$/, ''),
  )
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
  ]
}

/** The names of the secrets that a text contains in any form. */
const leaks = (bytes: Buffer, secrets: Record<string, string>): string[] =>
  Object.entries(secrets)
    .filter(([, secret]) => formsOf(secret).some((form) => bytes.includes(form)))
    .map(([name]) => name)

const tableNames = {
  sqlite: sql<{ name: string }>('', "select name from sqlite_master where type = 'table'"),
  postgresql: sql<{ name: string }>('', "select tablename as name from pg_tables where schemaname = 'public'"),
}

/** Every row of every table, as text. */
async function dump(database: Database): Promise<string> {
  const tables = await database.all(tableNames[database.engine])
  const rows = await Promise.all(
    tables.map(async ({ name }) => [name, await database.all(sql('', `select * from ${name}`))]),
  )
  const values = JSON.stringify(rows)
  // Once unchanged and once without the escapes of JSON, which hide quotation marks and line ends.
  return `${values}\n${values.replaceAll('\\"', '"').replaceAll('\\\\', '\\').replaceAll('\\n', '\n')}`
}

/** Opens every sealed value of a store. Returns their number by key. */
async function openAll({ storage: { database, secrets } }: BuiltServices): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const column of sealedColumns) {
    for await (const { sealed, context } of sealedValues(database, column)) {
      secrets.open(sealed, context)
      const id = secrets.keyIdOf(sealed)
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }
  const check = (await readFact(database, 'key_check')) ?? ''
  expect(secrets.open(check, keyCheckContext)).toBe('waypost')
  counts.set(secrets.keyIdOf(check), (counts.get(secrets.keyIdOf(check)) ?? 0) + 1)
  return counts
}

const clientSecret = sql<{ id: string; application_id: string; sealed_settings: string }>(
  '',
  "select id, application_id, sealed_settings from connectors where provider = 'google' and sealed_settings is not null",
)

/** The client secret of the Google connector, as the service uses it. */
async function readClientSecret({ storage: { database, secrets } }: BuiltServices): Promise<string | undefined> {
  const row = await database.get(clientSecret)
  if (!row) return undefined
  const context = { table: 'connectors', column: 'sealed_settings', application: row.application_id, row: row.id }
  return JSON.parse(secrets.open(row.sealed_settings, context)).client_secret
}

interface Rotation {
  key: string
  rewrapped: number
  under_old_keys: number
  dropped: number
}

async function rotate(settings: Record<string, string>): Promise<Rotation> {
  const { code, stdout, stderr } = await runHere(['secrets', 'rotate', '--json'], settings)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

const newKey = (): string => randomBytes(32).toString('base64')

test('a leak is found in every form', () => {
  const secrets = { one: given.connector, two: given.privateKey, three: given.mailPassword }
  for (const secret of Object.values(secrets)) {
    for (const form of [
      secret,
      JSON.stringify({ a: secret }),
      ...['', 'x', 'xy'].map((head) => Buffer.from(`${head}${secret}tail`).toString('base64')),
      Buffer.from(`x${secret}`).toString('base64url'),
      Buffer.from(secret).toString('hex'),
      `https://example.com/?q=${encodeURIComponent(secret)}`,
      new URLSearchParams({ secret }).toString(),
    ]) {
      expect(leaks(Buffer.from(form), secrets), form).toHaveLength(1)
    }
  }
  expect(leaks(Buffer.from('CANARY'), secrets)).toEqual([])
})

// Most of the time is waiting for servers to load a key, so these run concurrently.
describe.concurrent.each(engines)('secrets on %s', (engine) => {
  test('the store, its files and the log have no secret in any form', async () => {
    await using site = await newSite(engine)
    const env = { WAYPOST_GOOGLE_CLIENT_ID: 'sandbox-client-id', WAYPOST_GOOGLE_CLIENT_SECRET: given.sandboxClient }
    await using service = await site.open(env)
    const secrets = await fill(service)
    await service.services.telemetry.keyUse.flush()

    const text = await dump(service.services.storage.database)
    for (const open of ['open-client-id', 'sandbox-client-id', 'one@example.com', 'Kept answer', 'First key']) {
      expect(text, 'the dump is whole').toContain(open)
    }
    expect(leaks(Buffer.from(text), secrets)).toEqual([])
    expect(service.logs()).toContain('request answered')
    expect(leaks(Buffer.from(service.logs()), secrets)).toEqual([])
    const files = (await readdir(site.dataDir)).filter((file) => file.startsWith('waypost.db'))
    expect(files.length > 0).toBe(engine === 'sqlite')
    for (const file of files) expect(leaks(await readFile(path.join(site.dataDir, file)), secrets), file).toEqual([])
    expect(await readClientSecret(service.services)).toMatch(/^CANARY/)
  })

  test('a sealed value that is moved to another row does not open there', async () => {
    await using site = await newSite(engine)
    await using service = await site.open()
    await fill(service)
    const { database, secrets, clock } = service.services.storage
    await renewDataKey(database, secrets, clock.now())
    for (const sealedColumn of sealedColumns) {
      const { table, column } = sealedColumn
      const values = await Array.fromAsync(sealedValues(database, sealedColumn))
      const rows = values.map(({ sealed, context }) => ({ id: context.row, application: context.application, sealed }))
      const [one, two] = rows
      if (!one || !two) throw new Error(`${table} has fewer than two sealed values`)
      const set = sql('', `update ${table} set ${column} = $2 where id = $1`)
      await database.run(set, [one.id, two.sealed])
      await database.run(set, [two.id, one.sealed])
      for (const [row, sealed] of [[one, two.sealed] as const, [two, one.sealed] as const]) {
        const context = { table, column, application: row.application, row: row.id }
        expect(() => secrets.open(sealed, context)).toThrow(/does not open: .*belongs elsewhere/)
      }
    }
    // To the client, swapped connectors are an internal error without details. Nothing is changed.
    const before = await database.all(clientSecret)
    const { application_id } = (await service.call('GET', '/v3/admin/applications', { admin: true })).body.data.at(-1)
    const headers = { 'x-waypost-application': application_id }
    const body = { settings: { client_id: 'another' } }
    const answer = await service.call('PATCH', '/v3/connectors/google', { admin: true, headers, body })
    expect(answer.status).toBe(500)
    expect(JSON.stringify(answer.body)).not.toMatch(/sealed|elsewhere|CANARY/)
    expect(await database.all(clientSecret)).toEqual(before)
    // A rotation reports it.
    const newest = { id: '00000000', bytes: randomBytes(32) }
    const ring = { ids: () => [newest.id], find: service.services.storage.keyRing.find, current: () => newest }
    const rotation = rewrapAll(database, { secrets: createSecrets(ring), keyRing: ring }, () => undefined)
    await expect(rotation).rejects.toThrow(/does not open/)
  })

  test('keys are rotated under a running server, and no request fails', async () => {
    await using site = await newSite(engine)
    await using service = await site.open()
    await fill(service)
    await service.listen()
    const { key } = await service.createApplication('Load')
    const settings = { client_id: '0', client_secret: given.connector }
    expect((await service.call('POST', '/v3/connectors', { key, body: { provider: 'google', settings } })).status).toBe(
      201,
    )
    const former = service.services.storage.keyRing.current().id
    const failures: unknown[] = []
    let requests = 0
    let over = false
    const request = async (method: string, target: string, body: unknown): Promise<void> => {
      const headers = { 'idempotency-key': randomUUID() }
      const answer = await service.call(method, target, { key, body, headers })
      if (answer.status >= 300) failures.push(answer.body)
      requests++
    }
    const load = (async () => {
      for (let index = 1; !over || requests <= 20; index++) {
        await request('PATCH', '/v3/connectors/google', { settings: { client_id: String(index) } })
        await request('PATCH', '/v3/connectors/google', { name: `Name ${index}` })
        const credential = { name: String(index), credential_type: 'connector', credential_data: settings }
        if (index % 5 === 0) await request('POST', '/v3/connectors/google/creds', credential)
        await sleep(50)
      }
    })()
    const result = await rotate(site.settings).finally(() => {
      over = true
    })
    await load
    expect(failures).toEqual([])
    expect(requests).toBeGreaterThan(20)
    expect(result).toMatchObject({ under_old_keys: 0, dropped: 1 })
    expect(result.rewrapped).toBeGreaterThan(5)
    expect(result.key).not.toBe(former)

    // The server uses the new key, also for what it seals from now on.
    expect([...(await openAll(service.services)).keys()]).toEqual([result.key])
    await request('PATCH', '/v3/connectors/google', { settings: { client_id: 'last' } })
    expect(keyRingFromFile(site.keyFile).ids()).toEqual([result.key])
    await using again = await site.open()
    expect([...(await openAll(again.services)).keys()]).toEqual([result.key])
    expect(await readClientSecret(again.services)).toMatch(/^CANARY-/)
    expect(failures).toEqual([])
  })

  test('a value that a slow request puts back under the old key is not lost', async () => {
    await using site = await newSite(engine)
    await using service = await site.open()
    await fill(service)
    const { services } = service
    let late: Promise<unknown> | undefined
    const database: Database = {
      ...services.storage.database,
      async run(statement, parameters = []) {
        const changed = await services.storage.database.run(statement, parameters)
        const [id = '', before = ''] = parameters
        if (statement.name === 'connectors.sealed_settings.replace') {
          const back = sql('', 'update connectors set sealed_settings = $2 where id = $1')
          late ??= nextTurn().then(() => services.storage.database.run(back, [id, before]))
        }
        return changed
      },
    }
    const printed: string[] = []
    const output = {
      json: true,
      write: (text: string) => void printed.push(text),
      progress: () => undefined,
      notice: () => undefined,
    }
    await secretsRotate({ ...services, storage: { ...services.storage, database } }, { words: [], options: {} }, output)
    await late
    const result: Rotation = JSON.parse(printed.join(''))
    expect(result).toMatchObject({ under_old_keys: 0, dropped: 1 })
    expect([...(await openAll(services)).keys()]).toEqual([result.key])
  })

  // Only a process can be killed.
  test.runIf(isCheck)('a rotation that was killed leaves everything readable, and continues where it was', async () => {
    await using site = await newSite(engine)
    await using service = await site.open()
    await fill(service)
    const { database, secrets, keyRing } = service.services.storage
    const former = keyRing.current().id
    const connector = await database.get(clientSecret)
    if (!connector) throw new Error('no connector')
    const insert = sql(
      '',
      `insert into credentials (id, application_id, connector_id, name, credential_type, sealed_data, fingerprint,
       created_at, updated_at) values ($1, $2, $3, $1, 'connector', $4, '', 0, 0)`,
    )
    const total = 200
    await database.transaction(async (tx) => {
      for (let index = 0; index < total; index++) {
        const context = { table: 'credentials', column: 'sealed_data', application: connector.application_id, row: '' }
        const id = randomUUID()
        const sealed = secrets.seal(given.credential, { ...context, row: id })
        await tx.run(insert, [id, connector.application_id, connector.id, sealed])
      }
    })
    const under = sql<{ n: number }>('', 'select count(*) as n from credentials where sealed_data like $1')
    const countUnder = async (id: string): Promise<number> => (await database.get(under, [`v1.${id}.%`]))?.n ?? 0

    const child: ChildProcess = spawn(process.execPath, [await programFile('waypost'), 'secrets', 'rotate'], {
      env: site.settings,
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    let newest = former
    while (child.exitCode === null && (newest === former || (await countUnder(newest)) < 10)) {
      newest = keyRingFromFile(site.keyFile).ids()[0] ?? former
      await sleep(5)
    }
    child.kill('SIGKILL')
    expect((await ended)[1]).toBe('SIGKILL')
    const done = await countUnder(newest)
    expect(done).toBeGreaterThanOrEqual(10)
    expect(await countUnder(former)).toBeGreaterThan(0)
    expect(keyRingFromFile(site.keyFile).ids()).toEqual([newest, former])
    expect([...(await openAll(service.services)).keys()].sort()).toEqual([newest, former].sort())

    const result = await rotate(site.settings)
    expect(result).toMatchObject({ key: newest, under_old_keys: 0, dropped: 1 })
    expect(result.rewrapped).toBeLessThan(total + 40 - done)
    expect(result.rewrapped).toBeGreaterThan(0)
    expect(keyRingFromFile(site.keyFile).ids()).toEqual([newest])
    await using again = await site.open()
    expect([...(await openAll(again.services)).keys()]).toEqual([newest])
    expect((await openAll(again.services)).get(newest)).toBeGreaterThan(total)
  })

  test('a key from the settings is rotated as "new,old" and the old one taken away', async () => {
    await using site = await newSite(engine)
    const [old, fresh] = [newKey(), newKey()]
    const settings = (key: string) => ({ ...site.settings, WAYPOST_SECRET_KEY: key })
    await visit(site, { WAYPOST_SECRET_KEY: old }, async (service) => {
      await fill(service)
      await expect(readFile(site.keyFile)).rejects.toThrow('ENOENT')
    })
    await visit(site, { WAYPOST_SECRET_KEY: `${fresh},${old}` }, async (service) => {
      expect(await readClientSecret(service.services)).toBe(given.connector)
      await expect(rotate(settings(fresh))).rejects.toThrow(/does not open this store/)
      const result = await rotate(settings(`${fresh},${old}`))
      expect(result).toMatchObject({
        key: service.services.storage.keyRing.current().id,
        under_old_keys: 0,
        dropped: 0,
      })
      expect(result.rewrapped).toBeGreaterThan(5)
    })
    await using service = await site.open({ WAYPOST_SECRET_KEY: fresh })
    expect((await openAll(service.services)).size).toBe(1)
    expect(await readClientSecret(service.services)).toBe(given.connector)
    await expect(site.open({ WAYPOST_SECRET_KEY: old })).rejects.toThrow(/does not open this store/)
    await expect(site.open({ WAYPOST_SECRET_KEY: old })).rejects.toBeInstanceOf(ConfigError)
  })

  test('a start without the key or with another one is refused, and makes no new key', async () => {
    await using site = await newSite(engine)
    await visit(site, {}, fill)
    const retained = path.join(site.dataDir, 'kept.key')
    await rename(site.keyFile, retained)
    await expect(site.open()).rejects.toThrow(
      /secret\.key is missing and WAYPOST_SECRET_KEY is not set: restore the key/,
    )
    await expect(readFile(site.keyFile)).rejects.toThrow('ENOENT')
    createKeyFile(site.keyFile)
    await expect(site.open()).rejects.toThrow(/does not open this store/)
    await expect(site.open({ WAYPOST_SECRET_KEY: newKey() })).rejects.toThrow(/does not open this store/)
    await writeFile(site.keyFile, '')
    await expect(site.open()).rejects.toThrow(/holds no key/)
    await rm(site.keyFile)
    await rename(retained, site.keyFile)
    await using service = await site.open()
    expect(await readClientSecret(service.services)).toBe(given.connector)
  })
})

test('a key that the operator chose shows at most its first four characters', async () => {
  for (const key of ['wpk_dev_12345678', 'wpk_abcd', 'wpk_ab_secret12', 'mine-very-own-key']) {
    await using service = await openService({ env: { WAYPOST_API_KEY: key } })
    expect(await dump(service.services.storage.database)).not.toContain(key.slice(0, 5))
    expect((await service.call('GET', '/v3/grants', { key })).status).toBe(200)
  }
})

test.runIf(isCheck)('a node with a key of its own does not join an installation', async () => {
  await using first = await newSite('postgresql')
  await using service = await first.open()
  expect(service.services.storage.database.engine).toBe('postgresql')
  await using second = await newSite('sqlite')
  const joining = openService({ dataDir: second.dataDir, databaseUrl: first.databaseUrl })
  await expect(joining).rejects.toThrow(/secret\.key is missing and WAYPOST_SECRET_KEY is not set/)
})
