/** Refused starts, settings, and every command. `boot.check.ts` has PostgreSQL and processes. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createKeyFile } from '@waypost/platform/crypto/key-ring'
import { wordsOf } from '@waypost/platform/settings/values'
import { connectionProblem } from '@waypost/store/engine/connection-problem'
import { lockForServing } from '@waypost/store/engine/server-lock'
import { changes } from '@waypost/store/migrations/changes'
import { writeFact } from '@waypost/store/tables/applications/installation'
import { engines } from '@waypost/testing/engines'
import { emptyPostgres } from '@waypost/testing/peers/test-stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { openSqlite } from '../../store/src/engine/sqlite.ts'
import { complaintOf } from '../src/cli/program/output.ts'
import { ConfigError, readConfig } from '../src/config.ts'
import { settings } from '../src/settings.ts'
import { expectRefusal, newFolder } from './boot.ts'
import { runHere } from './command-line.ts'
import { openService } from './harness.ts'

describe.concurrent('a start is refused', () => {
  const cases: [what: string, env: Record<string, string>, reason: string][] = [
    ['without checks of certificates', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT_UNAUTHORIZED=0'],
    ['with a well-known password', { WAYPOST_ADMIN_PASSWORD: 'Change-Me' }, 'WAYPOST_ADMIN_PASSWORD is a well-known'],
    [
      'with a setting that does not exist',
      { WAYPOST_PROT: '1' },
      'WAYPOST_PROT is not a setting: did you mean WAYPOST_PORT\\? See example.env',
    ],
    [
      'with a port out of range',
      { WAYPOST_PORT: '65536' },
      'WAYPOST_PORT is "65536": it takes a whole number from 0 to 65535',
    ],
    ['with a key that is none', { WAYPOST_SECRET_KEY: 'CANARY-not-a-key' }, 'WAYPOST_SECRET_KEY: .*is not 32 bytes'],
    [
      'with another database',
      { DATABASE_URL: 'mysql://u:CANARY@127.0.0.1/x' },
      'DATABASE_URL has a wrong value .not shown.: it takes an address that begins with postgres',
    ],
  ]
  test.for(cases)('%s', async ([, env, reason]) => {
    await using folder = await newFolder()
    const dataDir = path.join(folder.path, 'data')
    // Settings are read before anything is started; the next test has a process.
    const settings = { WAYPOST_PORT: '0', WAYPOST_DATA_DIR: dataDir, ...env }
    expectRefusal(await runHere(['serve'], settings), new RegExp(reason))
  })

  test('with all reasons at once, before anything is created', async () => {
    await using folder = await newFolder()
    const dataDir = path.join(folder.path, 'data')
    const env = {
      WAYPOST_DATA_DIR: dataDir,
      WAYPOST_HOST: '0.0.0.0',
      WAYPOST_API_KEY: 'CANARY-too-short',
      WAYPOST_ADMIN_PASSWORD: 'secret',
      WAYPOST_TYPO: 'CANARY',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    }
    const run = await runHere(['serve'], env)
    expectRefusal(run, /the settings need mending:/)
    expect(run.stderr.match(/^ {2}- /gm)).toHaveLength(5)
    expect(run.stderr).toContain('WAYPOST_API_KEY must have at least 24 characters when the service is not on loopback')
    expect(existsSync(dataDir)).toBe(false)
  })

  test('without the key of the store, with another one, or with one that others can read', async () => {
    await using folder = await newFolder()
    const env = { WAYPOST_PORT: '0', WAYPOST_DATA_DIR: folder.path }
    const keyFile = path.join(folder.path, 'secret.key')
    await (await openService({ dataDir: folder.path }))[Symbol.asyncDispose]()
    await chmod(keyFile, 0o640)
    expectRefusal(await runHere(['serve'], env), `is open to other users. Close it with: chmod 600 ${keyFile}`)
    await rm(keyFile)
    expectRefusal(await runHere(['serve'], env), /secret\.key is missing and WAYPOST_SECRET_KEY is not set: restore/)
    expect(existsSync(keyFile)).toBe(false)
    createKeyFile(keyFile)
    expectRefusal(await runHere(['serve'], env), /the secret key does not open this store/)
  })

  test('on a PostgreSQL that does not answer', async () => {
    await using folder = await newFolder()
    const env = { WAYPOST_DATA_DIR: folder.path, DATABASE_URL: 'postgres://waypost:CANARY@127.0.0.1:1/none' }
    expectRefusal(
      await runHere(['serve'], env),
      /PostgreSQL cannot be reached: nothing listens at 127\.0\.0\.1:1: start it/,
    )
  })

  test.for([
    ['28P01', /the password of the user ada: .*percent-encoded/],
    ['ENOTFOUND', /the host db\.example is not known: check its name in DATABASE_URL/],
    ['ETIMEDOUT', /db\.example:5432 does not answer/],
    ['42501', /ada may not make tables in the database mail: make it the owner/],
    ['53300', /takes no more connections: raise max_connections/],
    ['57P03', /is starting or stopping/],
  ] as const)(
    'with an explanation and without the password if PostgreSQL or the network reports %s',
    ([code, words]) => {
      const error = new Error('outer', { cause: Object.assign(new Error('CANARY'), { code }) })
      const said = complaintOf(connectionProblem(error, 'postgres://ada:CANARY@db.example/mail'))
      expect(said).toMatch(words)
      expect(said).not.toContain('CANARY')
    },
  )

  test('with an unusable data folder', async () => {
    await using folder = await newFolder()
    const file = path.join(folder.path, 'file')
    await writeFile(file, '')
    for (const dataDir of [file, path.join(file, 'data')]) {
      const env = { WAYPOST_PORT: '0', WAYPOST_DATA_DIR: dataDir }
      expectRefusal(await runHere(['serve'], env), /the data folder .* cannot be used: .*: give it to the user/)
    }
  })

  test('on a SQLite file that another server uses, with a remedy', async () => {
    await using folder = await newFolder()
    const file = path.join(folder.path, 'waypost.db')
    await (await openService({ dataDir: folder.path }))[Symbol.asyncDispose]()
    const env = { WAYPOST_PORT: '0', WAYPOST_DATA_DIR: folder.path }
    using _serving = lockForServing(file)
    const run = await runHere(['serve'], env)
    expectRefusal(run, 'another Waypost server is using')
    expect(run.stderr).toContain('set WAYPOST_DATA_DIR to another folder, or run several nodes on PostgreSQL')
  })

  test('with a lock file that is not a lock', async () => {
    await using folder = await newFolder()
    await writeFile(path.join(folder.path, 'waypost.db.lock'), 'This is not a database. '.repeat(50))
    const run = await runHere(['serve'], { WAYPOST_PORT: '0', WAYPOST_DATA_DIR: folder.path })
    expectRefusal(run, 'waypost.db.lock')
    expect(run.stderr).not.toContain('another Waypost server')
  })

  test('on a port that is in use', async () => {
    await using folder = await newFolder()
    const server = createServer()
    await using _server = server
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? String(address.port) : ''
    const env = { WAYPOST_PORT: port, WAYPOST_DATA_DIR: folder.path, WAYPOST_LOG_LEVEL: 'silent' }
    expectRefusal(await runHere(['serve'], env), `port ${port} is in use: set WAYPOST_PORT to another one`)
  })
})

describe('the settings', () => {
  test('have defaults that need nothing else', () => {
    const { config, secrets } = readConfig({})
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://127.0.0.1:3000',
      dataDir: path.resolve('data'),
      roles: ['api', 'worker'],
      egress: undefined,
      loopbackOnly: true,
      rateLimits: true,
      checkAnswers: false,
    })
    expect(secrets).toMatchObject({ databaseUrl: undefined, secretKey: undefined, apiKey: undefined })
  })

  test('count as missing if they are empty', () => {
    const empty = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, '']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  test('the address of the service, which clients and examples read, may be set in the same shell', () => {
    expect(readConfig({ WAYPOST_URL: 'http://127.0.0.1:3000' })).toEqual(readConfig({}))
  })

  test('may be read from files, without the last line break', async () => {
    await using folder = await newFolder()
    const file = path.join(folder.path, 'value')
    await writeFile(file, 'postgres://waypost@db/waypost\n')
    expect(readConfig({ DATABASE_URL_FILE: file }).secrets.databaseUrl).toBe('postgres://waypost@db/waypost')
    expect(readConfig({ DATABASE_URL_FILE: '' }).secrets.databaseUrl).toBeUndefined()
    const env = { DATABASE_URL: 'postgres://db/x', DATABASE_URL_FILE: file, WAYPOST_API_KEY_FILE: `${file}-none` }
    expect(() => readConfig(env)).toThrow(
      /DATABASE_URL and DATABASE_URL_FILE are both set[\s\S]*KEY_FILE: .*\(ENOENT\)/,
    )
    expect(() => readConfig({ WAYPOST_TYPO_FILE: file })).toThrow('WAYPOST_TYPO_FILE is not a setting')
  })

  const key = 'short-one-12'
  test.for(['127.0.0.1', '127.8.8.8', 'localhost', '::1'])(
    'recognize %s as reachable only from this machine',
    (host) => {
      const { config } = readConfig({ WAYPOST_HOST: host, WAYPOST_API_KEY: key })
      expect(config).toMatchObject({ egress: undefined, loopbackOnly: true })
    },
  )

  test.for(['0.0.0.0', '::', '10.0.0.1', '127.example.com', 'localhost.example.com'])(
    'recognize %s as public: keys are long, and private addresses are not allowed',
    (host) => {
      expect(() => readConfig({ WAYPOST_HOST: host, WAYPOST_API_KEY: key })).toThrow(/at least 24 characters/)
      const given = { WAYPOST_HOST: host, WAYPOST_BASE_URL: 'http://127.0.0.1:3000' }
      expect(readConfig({ WAYPOST_HOST: host }).config.loopbackOnly).toBe(false)
      expect(readConfig(given).config.loopbackOnly).toBe(false)
    },
  )

  test('contain an address that can be opened: localhost if all addresses of the machine are used', () => {
    const baseUrlOf = (host: string): string => readConfig({ WAYPOST_HOST: host }).config.baseUrl
    expect(['0.0.0.0', '::', '::1', '192.0.2.7'].map(baseUrlOf)).toEqual([
      'http://localhost:3000',
      'http://localhost:3000',
      'http://[::1]:3000',
      'http://192.0.2.7:3000',
    ])
  })

  test('recognize the base address of a proxy as public', () => {
    const env = { WAYPOST_BASE_URL: 'https://api.example.com/mail/' }
    expect(readConfig(env).config).toMatchObject({ baseUrl: 'https://api.example.com/mail', loopbackOnly: false })
    expect(() => readConfig({ ...env, WAYPOST_API_KEY: key })).toThrow(/at least 24 characters/)
  })

  test('recognize a trusted proxy, and a node without requests, as public', () => {
    for (const env of [{ WAYPOST_TRUSTED_PROXIES: '127.0.0.1' }, { WAYPOST_ROLES: 'worker' }]) {
      expect(readConfig(env).config.loopbackOnly).toBe(false)
    }
  })

  test.for<[string, string]>([
    ['WAYPOST_METRICS_TOKEN', 'short'],
    ['WAYPOST_METRICS_TOKEN', 'with a space in the middle'],
    ['WAYPOST_PORT', 'http'],
    ['WAYPOST_PORT', '-1'],
    ['WAYPOST_PORT', '80.5'],
    ['WAYPOST_BASE_URL', 'ftp://example.com'],
    ['WAYPOST_ROLES', 'api,'],
    ['WAYPOST_ROLES', 'boss'],
    ['WAYPOST_LOG_LEVEL', 'loud'],
    ['WAYPOST_EGRESS', 'everywhere'],
    ['WAYPOST_SIGNATURE_HEADER', 'x header'],
    ['WAYPOST_POLL_SECONDS', '0'],
    ['WAYPOST_ON_UNKNOWN', 'ignore'],
    ['WAYPOST_NOTIFICATION_DAYS', '1'],
    ['WAYPOST_NOTIFICATION_DAYS', '91'],
    ['WAYPOST_REGION', 'moon'],
    ['WAYPOST_DOCS', 'hidden'],
    ['WAYPOST_EGRESS_ALLOW', 'https://example.com'],
    ['WAYPOST_EGRESS_ALLOW', '10.0.0.0/33'],
    ['WAYPOST_EGRESS_ALLOW', '*'],
    ['WAYPOST_RATE_LIMITS', 'maybe'],
    ['WAYPOST_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['WAYPOST_TRUSTED_PROXIES', '::1/129'],
    ['WAYPOST_TRUSTED_PROXIES', 'proxy.example.com'],
    ['WAYPOST_API_KEY', 'with space'],
    ['WAYPOST_API_KEY', '1234567'],
    ['WAYPOST_API_KEY', 'password1'],
    ['WAYPOST_SECRET_KEY', 'changeme'],
    ['WAYPOST_ADMIN_PASSWORD', 'example42'],
    ['WAYPOST_ADMIN_PASSWORD', '7 chars'],
    ['DATABASE_URL', 'postgres://user:pass#word@host/db'],
  ])('refuse %s=%s', ([name, value]) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value })).toThrow(name)
  })

  test('are all reported at once if they are invalid, with the value, a valid form and an example, and without secrets', () => {
    const wrong = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, ' CANARY \u001b[31m ']))
    let said = ''
    try {
      readConfig({ ...wrong, WAYPOST_PROT: '1', WAYPOST_SMTP_ULR: '1', WAYPOST_XYZZY: '1' })
    } catch (error) {
      said = String(error)
    }
    for (const [name, form] of Object.entries(settings.shape)) {
      const words = wordsOf(form as z.ZodType)
      if (!words) throw new Error(`${name} has no words for a wrong value`)
      // The example in the error is valid.
      if (words.example !== '…') expect((form as z.ZodType).safeParse(words.example).success, name).toBe(true)
      const line = said.split('\n').find((each) => each.startsWith(`  - ${name} `))
      if ((form as z.ZodType).safeParse(wrong[name]).success) continue
      expect(line, name).toContain(`: it takes ${words.wants}, such as ${name}=${words.example}`)
      if (words.secret) expect(line).not.toContain('CANARY')
      else expect(line).toContain('is " CANARY ?[31m "')
    }
    expect(said).toContain('WAYPOST_PROT is not a setting: did you mean WAYPOST_PORT?')
    expect(said).toContain('WAYPOST_SMTP_ULR is not a setting: did you mean WAYPOST_SMTP_URL?')
    expect(said).toContain('WAYPOST_XYZZY is not a setting: See example.env')
  })

  test('accept addresses and ranges of proxies', () => {
    const env = { WAYPOST_TRUSTED_PROXIES: ' 10.0.0.0/8, 192.0.2.1 ,2001:db8::/32,::1,' }
    expect(readConfig(env).config.trustedProxies).toEqual(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::1'])
  })

  describe('in example.env', () => {
    let lines: { name: string; value: string; shown: boolean }[]
    beforeAll(async () => {
      const text = await readFile(new URL('../../../example.env', import.meta.url), 'utf8')
      lines = [...text.matchAll(/^(# )?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, comment, name = '', value = '']) => ({
        name,
        value,
        shown: comment === undefined,
      }))
    })
    const defaults: Record<string, unknown> = settings.parse({})

    test('are complete, and each is listed once', () => {
      expect(lines.map(({ name }) => name).sort()).toEqual(Object.keys(settings.shape).sort())
    })

    test('have their default, or are a comment without one', () => {
      for (const { name, value, shown } of lines) {
        const none = defaults[name] === undefined || (Array.isArray(defaults[name]) && defaults[name].length === 0)
        expect(shown, `${name} has ${none ? 'no ' : 'a '}default`).toBe(!none)
        if (shown) expect(settings.parse({ [name]: value }), name).toMatchObject({ [name]: defaults[name] })
      }
    })

    test('change nothing', () => {
      const shown = lines.filter((line) => line.shown).map(({ name, value }): [string, string] => [name, value])
      expect(readConfig(Object.fromEntries(shown))).toEqual(readConfig({}))
    })
  })
})

describe.concurrent('the command', () => {
  test('prints its version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    expect(await runHere(['--version'], {})).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('prints the versions of Waypost, Node, the platform and the schema, without settings or a store', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    const wrong = { WAYPOST_TYPO: '1' }
    const facts = {
      version,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
      schema: changes.at(-1)?.number,
    }
    for (const line of [
      ['version', '--json'],
      ['--version', '--json'],
    ]) {
      const { code, stdout, stderr } = await runHere(line, wrong)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toEqual(facts)
    }
    expect((await runHere(['version'], wrong)).stdout).toContain(`version   ${version}\nnode      `)
    const found = await runHere(['doctor', '--json'], { WAYPOST_DATA_DIR: path.join(tmpdir(), 'waypost-no-store') })
    const first = { check: 'version', state: 'ok', message: expect.stringContaining(`Waypost ${version}, Node`) }
    expect(JSON.parse(found.stdout)[0]).toMatchObject(first)
  })

  test('ends with 1 if a setting is wrong', async () => {
    expectRefusal(await runHere(['doctor'], { WAYPOST_TYPO: '1' }), /WAYPOST_TYPO is not a setting/)
    const json = await runHere(['apps', 'list', '--json'], { WAYPOST_TYPO: '1' })
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stderr).error).toContain('WAYPOST_TYPO is not a setting')
  })
})

describe('commands on a store', () => {
  let stack: AsyncDisposableStack
  let env: Record<string, string>
  let dataDir: string
  let other: { id: string; key: string }
  const grants: Record<string, string> = {}

  beforeAll(async () => {
    stack = new AsyncDisposableStack()
    dataDir = stack.use(await newFolder()).path
    env = { WAYPOST_DATA_DIR: dataDir }
    await using service = await openService({ dataDir })
    other = await service.createApplication('Other')
    for (const name of ['shown', 'revoked', 'deleted']) {
      const { id } = await service.createGrant(`${name}@example.com`, other.key)
      grants[name] = id
    }
  })
  afterAll(() => stack.disposeAsync())

  /** Runs a command for a person and for a program; both must succeed, and the second must print only JSON. */
  async function both(...args: string[]): Promise<{ text: string; json: unknown }> {
    const [plain, json] = await Promise.all([runHere(args, env), runHere([...args, '--json'], env)])
    expect(plain.code, plain.stderr).toBe(0)
    expect(json.code, json.stderr).toBe(0)
    expect(json.stderr).toBe('')
    return { text: plain.stdout, json: JSON.parse(json.stdout) }
  }

  test('apps create creates an application with a valid key', async () => {
    const { text, json } = await both('apps', 'create', 'My app', '--environment', 'staging')
    expect(text).toMatch(
      /^application_id {2}\S{36}\nname {12}My app\nenvironment {5}staging\napi_key {9}wpk_staging_\S+\n$/,
    )
    expect(json).toMatchObject({ name: 'My app', environment: 'staging', api_key: expect.any(String) })
    const { api_key: key } = json as { api_key: string }
    await using service = await openService({ dataDir })
    expect((await service.call('GET', '/v3/grants', { key })).status).toBe(200)
  })

  test('apps list shows every application', async () => {
    const { text, json } = await both('apps', 'list')
    expect(text).toMatch(/^APPLICATION_ID +NAME +ENVIRONMENT +GRANT_COUNT +GRANT_LIMIT +BLOCKED\n/)
    expect(text).toMatch(/\S{36} +Sandbox +sandbox +0 +5 +false\n/)
    expect(text).toMatch(new RegExp(`${other.id} +Other +production +\\d +– +false\\n`))
    expect(json).toContainEqual(expect.objectContaining({ application_id: other.id, branding: { name: 'Other' } }))
  })

  test('keys are created, listed and revoked', async () => {
    const { text, json } = await both('keys', 'create', 'Nightly', '--expires-in', '30', '--app', other.id)
    expect(text).toMatch(/^name +Nightly$/m)
    expect(text).toMatch(/^api_key +wpk_production_\S+$/m)
    expect(json).toMatchObject({ application_id: other.id, name: 'Nightly', status: 'active', expires_in: 30 })
    const { id, api_key: key } = json as { id: string; api_key: string }
    const listed = await both('keys', 'list', '--app', other.id)
    expect(listed.text).toMatch(/^ID +NAME +HINT +STATUS +EXPIRES_IN +CREATED_BY +RIGHTS *\n/)
    expect(listed.text).toMatch(new RegExp(`${id} +Nightly +wpk_production_\\w{8}… +active +30 +command +all *\\n`))
    expect(listed.json).toContainEqual(expect.objectContaining({ id, status: 'active' }))
    expect(JSON.stringify(listed)).not.toContain(key)

    const revoked = await runHere(['keys', 'revoke', id, '--app', other.id], env)
    expect(revoked).toEqual({ code: 0, stdout: `id      ${id}\nstatus  revoked\n`, stderr: '' })
    const again = await runHere(['keys', 'revoke', id, '--app', other.id, '--json'], env)
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(again.stderr).error).toContain('already revoked')
  })

  test('a key that the settings name later opens the sandbox; a revoked key stays revoked', async () => {
    const key = 'chosen-key-of-the-settings'
    const named = { ...env, WAYPOST_API_KEY: key }
    const listed = JSON.parse((await runHere(['keys', 'list', '--json'], named)).stdout)
    const made = listed.filter((each: { name: string }) => each.name === 'Key from the settings')
    expect(made).toMatchObject([{ status: 'active' }])
    const revoked = await runHere(['keys', 'revoke', made[0].id], named)
    expect(revoked.code).toBe(0)
    const again = JSON.parse((await runHere(['keys', 'list', '--json'], named)).stdout)
    expect(again.filter((each: { status: string }) => each.status === 'active')).toHaveLength(listed.length - 1)
    expect(again).toHaveLength(listed.length)
  })

  test('without --app, a command uses the sandbox', async () => {
    const { json } = await both('keys', 'list')
    expect(json).toContainEqual(expect.objectContaining({ name: 'First key', hint: 'wpk_…' }))
  })

  test('grants are listed and shown', async () => {
    const { text, json } = await both('grants', 'list', '--app', other.id, '--limit', '2')
    expect(text).toMatch(/^ID +PROVIDER +EMAIL +GRANT_STATUS +BLOCKED\n/)
    expect(text.trimEnd().split('\n')).toHaveLength(3)
    expect(json).toHaveLength(2)
    const shown = await both('grants', 'show', 'Shown@example.com', '--app', other.id)
    expect(shown.text).toMatch(/^email +shown@example\.com$/m)
    expect(shown.json).toMatchObject({ id: grants.shown, email: 'shown@example.com', grant_status: 'valid' })
    const empty = await both('grants', 'list')
    expect(empty).toEqual({ text: 'No grants yet.\n', json: [] })
  })

  test('grants are revoked and deleted, and the usage shows it', async () => {
    const at = ['--app', other.id]
    const revoked = await runHere(['grants', 'revoke', 'revoked@example.com', ...at, '--json'], env)
    expect(JSON.parse(revoked.stdout)).toEqual({ id: grants.revoked, grant_status: 'invalid' })
    const why = await both('grants', 'show', 'revoked@example.com', ...at)
    expect(why.text).toMatch(/^invalid_reason +\{"at":\d+,"reason":"revoked"/m)
    expect(why.json).toMatchObject({ invalid_reason: { reason: 'revoked', message: null } })
    const deleted = await runHere(['grants', 'delete', grants.deleted ?? '', ...at], env)
    expect(deleted).toEqual({ code: 0, stdout: `id      ${grants.deleted}\nstatus  deleted\n`, stderr: '' })
    const gone = await runHere(['grants', 'show', grants.deleted ?? '', ...at], env)
    expectRefusal(gone, /no such grant in this application/)
    const { text, json } = await both('grants', 'usage', ...at)
    expect(text).toMatch(new RegExp(`^APPLICATION_ID .*\n${other.id} +Other +2 +\\{"virtual-calendar":2\\}\n$`))
    expect(json).toEqual([expect.objectContaining({ application_id: other.id, billed_grants: 2 })])
  })

  test('db migrate prints what it did', async () => {
    const { text, json } = await both('db', 'migrate')
    expect(text).toBe('store    sqlite\napplied  nothing to do\n')
    expect(json).toEqual({ store: 'sqlite', applied: 'nothing to do' })
  })

  test('secrets rotate prints what it did', async () => {
    const run = await runHere(['secrets', 'rotate'], env)
    expect(run.code, run.stderr).toBe(0)
    expect(run.stdout).toMatch(/^key {13}[0-9a-f]{8}\nrewrapped {7}\d+\nunder_old_keys {2}0\ndropped {9}1\n$/)
    const key = randomBytes(32).toString('base64')
    await using folder = await newFolder()
    await using _service = await openService({ dataDir: folder.path, env: { WAYPOST_SECRET_KEY: key } })
    const alone = await runHere(['secrets', 'rotate'], { WAYPOST_DATA_DIR: folder.path, WAYPOST_SECRET_KEY: key })
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringMatching(/dropped {9}0\n$/) })
    expect(alone.stderr).toContain('set WAYPOST_SECRET_KEY to "new,old"')
    expect(`${alone.stdout}${alone.stderr}`).not.toContain(key)
  })

  test.for<[args: string[], code: number, reason: string]>([
    [['apps', 'create'], 2, 'NAME is missing'],
    [['apps', 'create', 'x', '--environment', 'sandbox'], 2, '--environment must be'],
    [['keys', 'create', 'x', '--expires-in', 'soon'], 2, '--expires-in must be an integer'],
    [['keys', 'revoke'], 2, 'KEY_ID is missing'],
    [['grants', 'list', '--limit', '0'], 2, '--limit must be an integer'],
    [['grants', 'show', 'me'], 2, 'GRANT must be an id'],
    [['grants', 'show', 'nobody@example.com'], 1, 'no such grant'],
    [['keys', 'list', '--app', 'nobody'], 1, 'no application with this id'],
    [['keys', 'create', 'x', '--app', 'nobody'], 1, 'no application with this id'],
    [['grants', 'usage', '--app', 'nobody'], 1, 'no application with this id'],
  ])('%s', async ([args, code, reason]) => {
    const run = await runHere(args, env)
    expect(run).toMatchObject({ code, stdout: '' })
    expect(run.stderr).toContain(reason)
    expect(run.stderr).not.toMatch(/\n\s+at /)
  })
})

test('commands next to a running server take effect at once', async () => {
  await using folder = await newFolder()
  const env = { WAYPOST_DATA_DIR: folder.path }
  await using service = await openService({ dataDir: folder.path })
  const created = JSON.parse((await runHere(['keys', 'create', 'Beside', '--json'], env)).stdout)
  const statusWith = async (key: string): Promise<number> => (await service.call('GET', '/v3/grants', { key })).status
  expect(await statusWith(created.api_key)).toBe(200)
  expect((await runHere(['keys', 'revoke', created.id], env)).code).toBe(0)
  expect(await statusWith(created.api_key)).toBe(401)
  expect(await statusWith(service.apiKey)).toBe(200)
})

describe.concurrent('doctor', () => {
  interface Finding {
    check: string
    state: string
    message: string
    remedy?: string
  }
  async function examine(env: Record<string, string>): Promise<{ code: number; findings: Finding[]; output: string }> {
    const { code, stdout, stderr } = await runHere(['doctor', '--json'], env)
    expect(stderr).toBe('')
    const findings: Finding[] = JSON.parse(stdout)
    for (const { state, remedy } of findings) expect(state === 'ok', 'a remedy for each').toBe(remedy === undefined)
    return { code, findings, output: stdout }
  }
  const withState = (findings: Finding[], state: string): string[] =>
    findings.filter((finding) => finding.state === state && finding.check !== 'egress').map(({ message }) => message)

  test.for(engines)('finds nothing to correct on %s, and reveals no secret', async (engine) => {
    {
      const databaseUrl = engine === 'sqlite' ? '' : await emptyPostgres()
      await using folder = await newFolder()
      await (await openService({ dataDir: folder.path, databaseUrl: databaseUrl || undefined }))[Symbol.asyncDispose]()
      const { code, findings, output } = await examine({ WAYPOST_DATA_DIR: folder.path, DATABASE_URL: databaseUrl })
      expect(code).toBe(0)
      expect(withState(findings, 'problem')).toEqual([])
      // For a service that only this machine can reach.
      expect(withState(findings, 'warning')).toEqual([
        expect.stringContaining('links and pixels of tracked messages'),
        expect.stringContaining('the service has no mail identity'),
      ])
      expect(new Set(findings.map(({ check }) => check))).toEqual(
        new Set([
          'version',
          'settings',
          'tracking',
          'key',
          'store',
          'clock',
          'exposure',
          'egress',
          'docs',
          'metrics',
          'mail',
          ...(databaseUrl === '' ? [] : ['processes']),
        ]),
      )
      const key = (await readFile(path.join(folder.path, 'secret.key'), 'utf8')).trim()
      expect(output).not.toContain(key)
    }
  })

  test('shows the allowed hosts of connections, and an issuer that is not allowed', async () => {
    await using folder = await newFolder()
    const { code, findings } = await examine({
      WAYPOST_DATA_DIR: path.join(folder.path, 'data'),
      WAYPOST_EGRESS_ALLOW: '*.googleapis.com, mail.example.com:993',
      WAYPOST_OIDC_ISSUER: 'https://accounts.example.org',
      WAYPOST_OIDC_CLIENT_ID: 'waypost',
      WAYPOST_DOCS: 'off',
    })
    expect(code).toBe(1)
    const messages = findings.map(({ message }) => message)
    expect(messages).toContainEqual(expect.stringContaining('*.googleapis.com, mail.example.com:993'))
    expect(messages).toContainEqual(expect.stringContaining('accounts.example.org, the issuer'))
    expect(messages).toContainEqual(expect.stringContaining('WAYPOST_DOCS=off'))
  })

  test('creates nothing before the first start', async () => {
    await using folder = await newFolder()
    const dataDir = path.join(folder.path, 'data')
    const env = { WAYPOST_DATA_DIR: dataDir, WAYPOST_BASE_URL: 'http://api.example.com' }
    const { code, findings } = await examine(env)
    expect(code).toBe(0)
    const plain = await runHere(['doctor'], env)
    expect(plain).toMatchObject({ code: 0, stderr: '' })
    const marks: Record<string, string> = { ok: '✓', warning: '!', problem: '✗' }
    const lines = findings.flatMap(({ check, state, message, remedy }) => [
      `${marks[state]} ${check}: ${message}`,
      ...(remedy ? [`    ${remedy}`] : []),
    ])
    expect(plain.stdout).toBe(`${lines.join('\n')}\n`)
    expect(withState(findings, 'warning')).toEqual([
      'the base URL is plain http',
      expect.stringContaining('no key yet at'),
      expect.stringContaining('no store yet in'),
      expect.stringContaining('the service has no mail identity'),
    ])
    expect(existsSync(dataDir)).toBe(false)
  })

  test('reports a store that does not respond, without its password', async () => {
    await using folder = await newFolder()
    const url = 'postgres://waypost:CANARY@127.0.0.1:1/none'
    const { code, findings, output } = await examine({ WAYPOST_DATA_DIR: folder.path, DATABASE_URL: url })
    expect(code).toBe(1)
    expect(withState(findings, 'problem')).toEqual([expect.stringContaining('the store cannot be opened')])
    expect(output).not.toContain('CANARY')
  })

  test('reports a key that other users can read, that is missing, or that is another one', async () => {
    await using folder = await newFolder()
    const env = { WAYPOST_DATA_DIR: folder.path }
    const keyFile = path.join(folder.path, 'secret.key')
    await (await openService({ dataDir: folder.path }))[Symbol.asyncDispose]()
    await chmod(keyFile, 0o644)
    const open = await examine(env)
    expect(open.code).toBe(1)
    expect(open.findings).toContainEqual(
      expect.objectContaining({ message: `other users can read ${keyFile}`, remedy: `chmod 600 ${keyFile}` }),
    )
    await rm(keyFile)
    expect((await examine(env)).code).toBe(1)
    createKeyFile(keyFile)
    const another = await examine(env)
    expect(another.code).toBe(1)
    expect(withState(another.findings, 'problem')).toEqual([expect.stringContaining('the key does not open the store')])
  })

  test('reports a store of a newer version', async () => {
    await using folder = await newFolder()
    const env = { WAYPOST_DATA_DIR: folder.path }
    const file = path.join(folder.path, 'waypost.db')
    await (await openService({ dataDir: folder.path }))[Symbol.asyncDispose]()
    const database = openSqlite(file)
    await database.execute("insert into migrations (number, name, applied_at) values (999, 'telepathy', 0)")
    await database[Symbol.asyncDispose]()
    const newer = await examine(env)
    expect(newer.code).toBe(1)
    expect(withState(newer.findings, 'problem')).toEqual(['the store was written by a newer version of Waypost'])
    expectRefusal(await runHere(['serve'], env), /written by a newer version of Waypost/)
  })

  test('reports a store from before 0.1.0, and the version that upgrades it', async () => {
    await using folder = await newFolder()
    const env = { WAYPOST_DATA_DIR: folder.path }
    await (await openService({ dataDir: folder.path }))[Symbol.asyncDispose]()
    const database = openSqlite(path.join(folder.path, 'waypost.db'))
    await writeFact(database, 'clear_values', '23')
    const remedy = 'start version 1.3.1 on it once, and then this version'
    expectRefusal(await runHere(['serve'], env), new RegExp(`are not encrypted yet: ${remedy}`))
    await database.execute('delete from migrations where number > 22')
    await database[Symbol.asyncDispose]()
    const { code, findings } = await examine(env)
    expect(code).toBe(1)
    expect(findings).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('before 0.1.0'), remedy }),
    )
    expectRefusal(await runHere(['serve'], env), new RegExp(`before 0.1.0: ${remedy}`))
  })
})
