/** No secret that is given to the service comes out again: not in logs, answers, figures or files. */

import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ApiError } from '@waypost/platform/api-error'
import type { Provider } from '@waypost/providers/provider'
import { providers } from '@waypost/providers/registry'
import { enginesFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type CallOptions, openService, type TestService } from '../../harness.ts'
import { filesAsText, findsIn as findsOf, formsOf, tablesAsText } from '../../store/stored.ts'
import { bodyOf } from '../../world/samples.ts'
import { furnish } from '../../world/world.ts'
import { isAdministrators, leavesOf, mainMethod, pathOf, routes, valueAt, withValue } from './requests.ts'

const word = 'CANARY'
/** A secret of its own for each use, so that a find tells where it came from. */
const secret = (use: string): string => `${word}-${use}-9f2b`

/** The forms in which a text may hold the word. */
const forms: readonly string[] = [
  ...formsOf(word),
  Buffer.from(word).toString('hex').toUpperCase(),
  [...word].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
  [...word].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(''),
]
const findsIn = (text: string): string[] => findsOf(text, forms)

test('the search finds the word in every form', () => {
  for (let before = 0; before < 3; before++) {
    const text = `${'x'.repeat(before)}${secret('self')}`
    for (const encoding of ['base64', 'base64url', 'hex', 'latin1'] as const) {
      expect(findsIn(`a ${Buffer.from(text).toString(encoding)} b`), `${encoding} ${before}`).toHaveLength(1)
    }
  }
  expect(findsIn('%43%41%4e%41%52%59')).toHaveLength(1)
  expect(findsIn('nothing here')).toEqual([])
})

/** A provider that takes passwords, and one that refuses them, in its own words. */
const imap: Provider = {
  kind: 'imap',
  authenticate: async (settings) => ({
    email: String(settings.imap_username),
    name: null,
    providerUserId: null,
    scope: [],
    settings: { imap_username: settings.imap_username },
    credentials: settings,
  }),
}
const refusing = (kind: Provider['kind']): Provider => ({
  kind,
  authenticate: async () => {
    throw new ApiError('authentication_failed', undefined, { providerError: { code: 'AUTHENTICATIONFAILED' } })
  },
})

const apiKey = `wpk_sandbox_abcdefgh_${secret('api-key')}`
const client = { client_id: 'client', client_secret: secret('client-secret') }
const custom: Record<string, Record<string, unknown>> = {
  google: { refresh_token: secret('refresh-token') },
  microsoft: { refresh_token: secret('refresh-token') },
  imap: {
    imap_username: 'a@imap.test',
    imap_password: secret('imap-password'),
    smtp_password: secret('smtp-password'),
  },
  icloud: { username: 'a@icloud.test', password: secret('app-password') },
  yahoo: { refresh_token: secret('refresh-token') },
  ews: { ews_username: 'a@ews.test', ews_password: secret('ews-password') },
  zoom: { refresh_token: secret('refresh-token') },
}
const credentials: Record<string, Record<string, unknown>> = {
  connector: client,
  serviceaccount: {
    private_key_id: 'id',
    private_key: secret('private-key'),
    client_email: 'a@b.test',
    extra: secret('extra'),
  },
  adminconsent: { tenant: 'tenant', client_id: 'client', client_secret: secret('consent-secret') },
}

describe.for(enginesFor(import.meta.url))('on %s', (engine) => {
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
  let service: TestService
  let brokenLookup = false
  /** Everything that was answered, headers and all, save the one answer that shows a new key. */
  const answered: string[] = []
  const newKeys: string[] = []

  const call = async (method: string, at: string, options: CallOptions = {}) => {
    const answer = await service.call(method, at, { key: apiKey, ...options })
    const shown = { ...answer.body, data: { ...answer.body?.data } }
    if (method === 'POST' && at.includes('/api-keys') && shown.data.api_key) {
      newKeys.push(shown.data.api_key)
      shown.data.api_key = ''
      answered.push(JSON.stringify(shown))
    } else {
      answered.push(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
    }
    answered.push([...answer.headers].join('\n'))
    return answer
  }

  beforeAll(async () => {
    folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-canary-'))
    service = await openService({
      engine,
      dataDir: folder.path,
      env: {
        WAYPOST_API_KEY: apiKey,
        WAYPOST_LOG_LEVEL: 'trace',
        WAYPOST_GOOGLE_CLIENT_ID: 'client',
        WAYPOST_GOOGLE_CLIENT_SECRET: secret('sandbox-secret'),
      },
      overrides: {
        providers: { ...providers, imap, ews: refusing('ews'), icloud: refusing('icloud') },
        findMailExchangers: async () => {
          if (brokenLookup) throw new Error('the resolver fell over', { cause: new Error('no route') })
          return []
        },
      },
    })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await folder.remove()
  })

  /** Makes, reads, changes and removes everything that takes a secret. */
  async function useSecrets(key: string): Promise<void> {
    const as = (method: string, at: string, body?: unknown, headers?: Record<string, string>) =>
      call(method, at, { key, body, headers })
    for (const provider of Object.keys(custom)) {
      await as('POST', '/v3/connectors', { provider, settings: provider === 'imap' ? {} : client })
      await as('PATCH', `/v3/connectors/${provider}`, {
        settings: { ...client, client_secret: secret('second-secret') },
      })
      await as('PATCH', `/v3/connectors/${provider}`, { settings: { client_id: 'other' } })
      await as('GET', `/v3/connectors/${provider}`)
      const settings = custom[provider]
      const headers = { 'idempotency-key': `custom-${provider}` }
      for (let n = 0; n < 2; n++) await as('POST', '/v3/connect/custom', { provider, settings }, headers)
      await as('POST', '/v3/connect/custom', { provider, settings: { ...settings, imap_port: 'no port' } })
      await as('PATCH', '/v3/grants/a@imap.test', { settings: { imap_password: secret('new-password') } })
    }
    for (const [credential_type, credential_data] of Object.entries(credentials)) {
      const at = '/v3/connectors/google/creds'
      const made = await as(
        'POST',
        at,
        { name: credential_type, credential_type, credential_data },
        { 'idempotency-key': credential_type },
      )
      const { id } = made.body.data
      await as('PATCH', `${at}/${id}`, { credential_data: { ...credential_data, client_secret: secret('changed') } })
      await as('GET', `${at}/${id}`)
      await as('GET', at)
      await as('POST', at, { name: credential_type, credential_type, credential_data: { client_id: secret('other') } })
    }
    for (const at of ['connectors', 'grants', 'grants/a@imap.test', 'applications', 'connect/custom'])
      await as('GET', `/v3/${at}`)
  }

  test('secrets are sent in the right places', async () => {
    await useSecrets(apiKey)
    const made = await call('POST', '/v3/admin/applications', { admin: true, body: { name: 'Own' } })
    const at = `/v3/admin/applications/${made.body.data.application_id}`
    const key = await call('POST', `${at}/api-keys`, {
      admin: true,
      body: { name: 'key' },
      headers: { 'idempotency-key': 'key' },
    })
    await call('POST', `${at}/api-keys`, { admin: true, body: { name: 'key' }, headers: { 'idempotency-key': 'key' } })
    await useSecrets(key.body.data.api_key)
    for (const read of [
      '/v3/admin/applications',
      at,
      `${at}/api-keys`,
      `${at}/api-keys/${key.body.data.id}`,
      `${at}/usage`,
      '/v3/admin/usage',
    ]) {
      await call('GET', read, { admin: true })
    }
    const sandbox = (await call('GET', '/v3/applications')).body.data.application_id
    await call('GET', `/v3/admin/applications/${sandbox}/api-keys`, { admin: true })
    const grant = await call('GET', '/v3/grants/a@imap.test', { key: key.body.data.api_key })
    expect(grant.body.data).toMatchObject({ provider: 'imap', settings: { imap_username: 'a@imap.test' } })
    await call('POST', `${at}/grants/${grant.body.data.id}/revoke`, { admin: true })
    await call('DELETE', `/v3/grants/${grant.body.data.id}`, { key: key.body.data.api_key })
    await call('DELETE', '/v3/connectors/google', { key: key.body.data.api_key })
  })

  test('secrets are sent in the wrong places', async () => {
    const hidden = secret('misplaced')
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    const credentialsOf = [
      `Bearer ${hidden}`,
      `Bearer ${hidden} ${hidden}`,
      hidden,
      basic(`admin:${hidden}`),
      basic(`${hidden}:${hidden}`),
      basic(hidden),
    ]
    for (const authorization of credentialsOf) {
      for (const at of ['/v3/grants', '/v3/admin/applications', '/v3/nothing'])
        await call('GET', at, { key: null, headers: { authorization } })
    }
    for (const query of [
      `api_key=${hidden}`,
      `access_token=${hidden}`,
      `limit=${hidden}`,
      `limit=1&limit=${hidden}`,
      `page_token=${hidden}`,
      `sort_by=${hidden}`,
    ]) {
      for (const at of ['/v3/grants', '/v3/nothing', '/send', '/health', '/docs']) await call('GET', `${at}?${query}`)
    }
    const broken = [
      `{"client_secret":"${hidden}"`,
      `{"client_secret":"${hidden}"}}`,
      `{"client_secret":"${hidden}\\x"}`,
      `{"client_secret":"${hidden}\n"}`,
      `{"client_secret":"${hidden}","client_secret":"${hidden}"}`,
      `{"client_secret":"${hidden}\\u0000"}`,
      `"${hidden}"`,
      `["${hidden}"]`,
      hidden,
      `client_secret=${hidden}`,
      JSON.stringify({ provider: hidden, settings: hidden, name: [hidden], scope: hidden }),
      JSON.stringify({ provider: 'google', settings: { client_id: [hidden], client_secret: { a: hidden } } }),
      JSON.stringify({ provider: 'google', settings: { client_id: 'a', client_secret: hidden.repeat(1000) } }),
      JSON.stringify({ credential_type: hidden, credential_data: { private_key: [hidden] }, name: { a: hidden } }),
      JSON.stringify({ url: `https://user:${hidden}@app.test/` }),
      JSON.stringify({ metadata: { key: hidden.repeat(100) }, settings: [hidden] }),
    ]
    for (const [turn, named] of routes.filter(({ route }) => route.body).entries()) {
      const admin = isAdministrators(named)
      // They are refused before the store has a part in it: one has them all, the other a few for each route.
      for (const body of engine === 'sqlite' ? broken : broken.filter((_, index) => (index + turn) % 5 === 0)) {
        await call(mainMethod(named), pathOf(named, { provider: 'google' }), { admin, body })
      }
      const body = broken[turn % broken.length]
      await call(mainMethod(named), pathOf(named), { admin, body, headers: { 'content-type': 'text/plain' } })
    }
  })

  test('secrets are sent while things fail', async () => {
    brokenLookup = true
    const detected = await call('POST', `/v3/providers/detect?email=${secret('local')}@unknown.test`)
    expect(detected.status).toBe(500)
    brokenLookup = false
    for (const failing of ['transaction', 'run'] as const) {
      vi.spyOn(service.services.storage.database, failing).mockRejectedValue(new Error('the disk is gone'))
      for (const name of ['idempotency-key', 'x-nothing']) {
        const headers = { [name]: 'broken' }
        await call('POST', '/v3/connectors', { body: { provider: 'zoom', settings: client }, headers })
        await call('POST', '/v3/connect/custom', { body: { provider: 'imap', settings: custom.imap }, headers })
        await call('PATCH', '/v3/grants/a@imap.test', {
          body: { settings: { imap_password: secret('broken') } },
          headers,
        })
      }
      vi.restoreAllMocks()
    }
    vi.spyOn(service.services.telemetry.metrics, 'families').mockRejectedValueOnce(new Error('no figures'))
    await call('GET', '/metrics')
    expect(service.logs()).toContain('the disk is gone')
  })

  test('no secret appears in the log, the answers or the figures', async () => {
    const metrics = await service.call('GET', '/metrics')
    expect(metrics.body).toContain('waypost_http_requests_total')
    expect(findsIn(service.logs())).toEqual([])
    expect(findsIn(metrics.body)).toEqual([])
    expect(answered.flatMap(findsIn)).toEqual([])
    expect(newKeys.length).toBeGreaterThan(0)
    for (const text of [service.logs(), String(metrics.body), ...answered]) {
      for (const key of newKeys) expect(text.includes(key.slice(-40))).toBe(false)
    }
  })

  test('no secret appears in the store', async () => {
    const stored = await tablesAsText(service.services.storage.database)
    for await (const file of filesAsText(folder.path)) stored.push(file)
    for (const [place, text] of stored) {
      expect(findsIn(text), place).toEqual([])
      for (const key of newKeys) expect(text.includes(key.slice(-40)), place).toBe(false)
    }
  })
})

test('client input cannot forge a log line', async () => {
  await using service = await openService({
    overrides: { findMailExchangers: async (domain) => Promise.reject(new Error(`no host ${domain}`)) },
  })
  const forged = 'x\n{"level":60,"time":0,"msg":"forged"}\r\n\u2028{"level":60}\u001b[2K'
  const encoded = encodeURIComponent(forged)
  const tenant = await furnish(service)
  for (const named of routes) {
    const as = { key: tenant.key, admin: isAdministrators(named) }
    const body = bodyOf(named, tenant)
    const path = pathOf(named, tenant.params(named))
    const send = (target: string, options: CallOptions = {}) =>
      service.call(mainMethod(named), target, { ...as, ...options })
    for (const place of leavesOf(body)) {
      if (typeof valueAt(body, place) === 'string') await send(path, { body: withValue(body, place, forged) })
    }
    for (const name of [...Object.keys(named.route.query?.shape ?? {}), encoded]) {
      await send(`${path}?${name}=${encoded}`)
    }
    await send(named.route.path.replace(/:[a-z_]+/g, encoded), { body })
    await send(`/v3/${encoded}`, { headers: { 'idempotency-key': encoded, 'user-agent': encoded } })
  }
  await service.call('POST', `/v3/providers/detect?email=${encodeURIComponent('a@b.test"}{"level":60}')}`)
  const lines = service.logs().split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.length).toBeGreaterThan(100)
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  const isForged = (line: string): boolean => {
    const { level, msg } = JSON.parse(line)
    return !levels.includes(level) || msg.includes('forged') || line.includes('\u001b') || line.includes('\r')
  }
  expect(lines.filter(isForged)).toEqual([])
})
