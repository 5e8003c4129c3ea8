/** The published `nylas` client, unmodified, against the service over a port: existing users get what works here. */
import { randomUUID } from 'node:crypto'
import { providerKinds } from '@waypost/contract'
import { oneEngineFor } from '@waypost/testing/engines'
import { failureOf, Nylas } from '@waypost/testing/peers/nylas'
import { type CreateConnectorRequest, CredentialType, type Grant, type NylasListResponse, type Provider } from 'nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantAccess } from '../../../src/grants/grants.ts'
import { authenticate as tryAccount } from '../../../src/grants/verify-credentials.ts'
import { openService, type TestService } from '../../harness.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The client's list of providers lacks one that its users send anyway. */
const kind = (name: string): Provider => name as Provider

/** The pages of a list after the one that the client fetched. */
async function restOf<T>(
  first: NylasListResponse<T> & { next?: () => Promise<IteratorResult<NylasListResponse<T>, undefined>> },
): Promise<T[][]> {
  const pages: T[][] = []
  for (let step = await first.next?.(); step && !step.done; step = await first.next?.()) pages.push(step.value.data)
  return pages
}

const matrix = oneEngineFor(import.meta.url).flatMap((engine) => [
  { engine, form: 'host and port', ending: '' },
  { engine, form: 'a slash at the end', ending: '/' },
])

describe.each(matrix)('the nylas client on $engine, with an address of $form,', ({ engine, ending }) => {
  let service: TestService
  let apiUri: string

  beforeAll(async () => {
    service = await openService({
      engine,
      overrides: { findMailExchangers: async (domain) => (domain === 'acme.test' ? ['aspmx.l.google.com'] : []) },
    })
    apiUri = `${await service.listen()}${ending}`
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
  })

  const clientOf = (apiKey: string): Nylas => new Nylas({ apiKey, apiUri, timeout: 60 })
  /** A client of a new application. */
  const newClient = async (): Promise<Nylas> => clientOf((await service.createApplication('Client')).key)
  const connectVirtual = (nylas: Nylas) =>
    nylas.connectors.create({ requestBody: { name: 'Virtual', provider: 'virtual-calendar' } })
  const authenticate = async (nylas: Nylas, email: string, state?: string): Promise<Grant> =>
    (
      await nylas.auth.customAuthentication({
        requestBody: { provider: 'virtual-calendar', settings: { email }, ...(state ? { state } : {}) },
      })
    ).data

  test('reads the application of its key', async () => {
    const { data, requestId, rawHeaders } = await clientOf(service.apiKey).applications.getDetails()
    expect(data).toMatchObject({
      applicationId: expect.stringMatching(uuid),
      organizationId: expect.stringMatching(uuid),
      region: 'us',
      environment: 'sandbox',
      branding: { name: 'Sandbox' },
      callbackUris: [],
      blocked: false,
    })
    expect(requestId).toBe(rawHeaders?.['x-request-id'])
    expect(rawHeaders?.['content-type']).toBe('application/json')
  })

  test('changes the application: absent fields stay, nested objects are replaced, settings are not returned', async () => {
    const nylas = await newClient()
    const first = await nylas.applications.update({
      requestBody: {
        branding: { name: 'Acme', iconUrl: 'https://acme.test/icon.png', websiteUrl: 'https://acme.test' },
        hostedAuthentication: { title: 'Welcome', colorPrimary: '#1a73e8', spacing: 4 },
        idpSettings: { origins: 'https://acme.test,http://localhost:3000', issuers: 'https://id.acme.test' },
        callbackUris: [{ url: 'https://acme.test/callback' }],
        domain: 'mail.acme.test',
        additionalSettings: { loginUrl: 'https://acme.test/login', rotateRefreshToken: true },
      },
    })
    expect(first.data).toMatchObject({
      branding: { name: 'Acme', iconUrl: 'https://acme.test/icon.png', websiteUrl: 'https://acme.test' },
      hostedAuthentication: { title: 'Welcome', colorPrimary: '#1a73e8', spacing: 4 },
      idpSettings: { origins: 'https://acme.test,http://localhost:3000', issuers: 'https://id.acme.test' },
      callbackUris: [{ url: 'https://acme.test/callback', platform: 'web', settings: {} }],
      domain: 'mail.acme.test',
    })
    expect(JSON.stringify(first.data)).not.toMatch(/additional|login_?url/i)
    const second = await nylas.applications.update({ requestBody: { branding: { description: 'Mail' } } })
    // The client's types allow leaving out the name; every application has one.
    expect(second.data.branding).toEqual({ name: 'Acme', description: 'Mail' })
    expect(second.data.domain).toBe('mail.acme.test')
    expect(second.data.hostedAuthentication).toEqual(first.data.hostedAuthentication)
    expect((await nylas.applications.getDetails()).data).toEqual(second.data)
  })

  test('manages redirect URIs of every platform', async () => {
    const nylas = await newClient()
    const uris = nylas.applications.redirectUris
    const drafts = [
      { url: 'https://acme.test/web' },
      { url: 'http://localhost:4000/desktop', platform: 'desktop' },
      { url: 'https://acme.test/js', platform: 'js', settings: { origin: 'https://acme.test' } },
      {
        url: 'acme://signed-in',
        platform: 'ios',
        settings: { bundleId: 'test.acme', appStoreId: '1', teamId: 'T' },
      },
      {
        url: 'acme://android',
        platform: 'android',
        settings: { packageName: 'test.acme', sha1CertificateFingerprint: 'AA:BB:CC' },
      },
    ] as const
    for (const requestBody of drafts) {
      const made = await uris.create({ requestBody })
      expect(made.data).toMatchObject({
        platform: 'web',
        settings: {},
        ...requestBody,
        id: expect.stringMatching(uuid),
      })
      const found = await uris.find({ redirectUriId: made.data.id })
      expect(found.data).toEqual(made.data)
    }
    const list = await uris.list()
    expect(list.data.map(({ url }) => url).sort()).toEqual(drafts.map(({ url }) => url).sort())
    const android = list.data.find(({ platform }) => platform === 'android')
    expect(android?.settings).toEqual({ packageName: 'test.acme', sha1CertificateFingerprint: 'AA:BB:CC' })

    const id = android?.id ?? ''
    const moved = await uris.update({ redirectUriId: id, requestBody: { url: 'acme://other' } })
    expect(moved.data).toEqual({ ...android, url: 'acme://other' })
    const gone = await uris.destroy({ redirectUriId: id })
    expect(gone.requestId).toMatch(uuid)
    expect(await failureOf(uris.find({ redirectUriId: id }))).toMatchObject({
      statusCode: 404,
      type: 'not_found_error',
    })
    expect((await uris.list()).data).toHaveLength(4)
  })

  test('creates, reads, changes and deletes a connector of every provider kind', async () => {
    const nylas = await newClient()
    const secret = `CANARY-${randomUUID()}`
    const client = { clientId: 'the-client', clientSecret: secret }
    const settings: Record<string, Record<string, string>> = {
      google: { ...client, topicName: 'projects/p/topics/t' },
      microsoft: { ...client, tenant: 'acme.test' },
      yahoo: client,
      zoom: client,
    }
    const kinds = Object.keys(providerKinds)
    const shown: Record<string, unknown> = {
      google: { clientId: 'the-client', topicName: 'projects/p/topics/t' },
      microsoft: { clientId: 'the-client', tenant: 'acme.test' },
      yahoo: { clientId: 'the-client' },
      zoom: { clientId: 'the-client' },
    }
    for (const name of kinds) {
      const provider = kind(name)
      const requestBody: CreateConnectorRequest = {
        name: `My ${name}`,
        provider,
        ...(settings[name] ? { settings: settings[name], scope: ['one', 'two'] } : {}),
      }
      const made = await nylas.connectors.create({ requestBody })
      expect(made.data).toMatchObject({ provider, name: `My ${name}`, settings: shown[name] ?? {} })
      expect(made.data.scope).toEqual(settings[name] ? ['one', 'two'] : [])
      expect(JSON.stringify(made)).not.toContain(secret)
      expect((await nylas.connectors.find({ provider })).data).toEqual(made.data)
      const again = await failureOf(nylas.connectors.create({ requestBody }))
      expect(again).toMatchObject({ statusCode: 409, type: 'conflict' })
      expect(again.message).toContain(name)
    }

    const list = await nylas.connectors.list({})
    expect(list.data.map(({ provider }) => provider)).toEqual(expect.arrayContaining(kinds))
    const pages: number[] = []
    for await (const page of nylas.connectors.list({ queryParams: { limit: 3 } })) pages.push(page.data.length)
    expect(pages).toEqual([3, 3, kinds.length - 6])

    const changed = await nylas.connectors.update({
      provider: 'google',
      requestBody: { name: 'New name', settings: { ...client, topicName: 'projects/p/topics/u' }, scope: ['three'] },
    })
    expect(changed.data).toMatchObject({
      name: 'New name',
      settings: { clientId: 'the-client', topicName: 'projects/p/topics/u' },
      scope: ['three'],
    })
    for (const name of kinds) {
      expect((await nylas.connectors.destroy({ provider: name })).requestId).toMatch(uuid)
      expect(await failureOf(nylas.connectors.find({ provider: kind(name) }))).toMatchObject({ statusCode: 404 })
    }
    expect((await nylas.connectors.list({})).data).toEqual([])
  })

  test('manages the credentials of a connector, and never gets their data', async () => {
    const nylas = await newClient()
    const { credentials } = nylas.connectors
    const secret = `CANARY-${randomUUID()}`
    await nylas.connectors.create({
      requestBody: { name: 'Google', provider: 'google', settings: { clientId: 'c', clientSecret: secret } },
    })
    const provider = 'google'
    const made = [
      await credentials.create({
        provider,
        requestBody: {
          name: 'override',
          credentialType: CredentialType.CONNECTOR,
          credentialData: { clientId: 'c2', clientSecret: secret },
        },
      }),
      await credentials.create({
        provider,
        requestBody: {
          name: 'robot',
          credentialType: CredentialType.SERVICEACCOUNT,
          credentialData: { privateKeyId: 'k', privateKey: secret, clientEmail: 'robot@acme.test' },
        },
      }),
      await credentials.create({
        provider,
        requestBody: {
          name: 'consent',
          credentialType: CredentialType.ADMINCONSENT,
          credentialData: { clientId: 'c3', clientSecret: secret },
        },
      }),
    ].map(({ data }) => data)
    expect(made.map(({ credentialType }) => credentialType)).toEqual(['connector', 'serviceaccount', 'adminconsent'])
    const names = made.map(({ name }) => name)
    const ids = new Set(made.map(({ id }) => id))

    const asc = await credentials.list({ provider, queryParams: { sortBy: 'createdAt', orderBy: 'asc' } })
    const desc = await credentials.list({ provider, queryParams: { sortBy: 'createdAt', orderBy: 'desc' } })
    expect(asc.data.map(({ id }) => id)).toEqual(desc.data.map(({ id }) => id).reverse())
    expect(asc.data.map(({ name }) => name).sort()).toEqual([...names].sort())
    expect((await credentials.list({ provider, queryParams: { sortBy: 'updatedAt' } })).data).toHaveLength(3)
    const second = await credentials.list({ provider, queryParams: { limit: 1, offset: 1, orderBy: 'asc' } })
    expect(second.data).toEqual([asc.data[1]])
    const walked: string[] = []
    for await (const page of credentials.list({ provider, queryParams: { limit: 1 } })) {
      walked.push(...page.data.map(({ id }) => id))
    }
    expect(new Set(walked)).toEqual(ids)
    expect(walked).toHaveLength(3)

    const [first] = made
    if (!first) throw new Error('no credential was made')
    const at = { provider, credentialsId: first.id } as const
    const renamed = await credentials.update({ ...at, requestBody: { name: 'renamed' } })
    expect(renamed.data).toMatchObject({ id: first.id, name: 'renamed' })
    expect((await credentials.find(at)).data).toEqual(renamed.data)
    expect(JSON.stringify([made, asc, renamed])).not.toContain(secret)

    await nylas.connectors.update({ provider, requestBody: { activeCredentialId: first.id } })
    expect((await nylas.connectors.find({ provider })).data.activeCredentialId).toBe(first.id)
    expect(await failureOf(credentials.destroy(at))).toMatchObject({ statusCode: 400 })
    const other = made[1]?.id ?? ''
    expect((await credentials.destroy({ provider, credentialsId: other })).requestId).toMatch(uuid)
    expect(await failureOf(credentials.find({ provider, credentialsId: other }))).toMatchObject({ statusCode: 404 })
    expect(await failureOf(credentials.list({ provider: 'microsoft' }))).toMatchObject({ statusCode: 404 })
  })

  test('authenticates a virtual account, and the same address again keeps its grant', async () => {
    const nylas = await newClient()
    await connectVirtual(nylas)
    const email = 'Room 5 / Ground floor'
    const grant = await authenticate(nylas, email, 'my-state')
    expect(grant).toMatchObject({
      id: expect.stringMatching(uuid),
      provider: 'virtual-calendar',
      grantStatus: 'valid',
      email,
      scope: [],
      state: 'my-state',
    })
    expect(grant.createdAt).toBe(grant.updatedAt)
    expect((await authenticate(nylas, email)).id).toBe(grant.id)
    expect((await authenticate(nylas, ` ${email.toUpperCase()}`)).id).toBe(grant.id)
    expect((await nylas.grants.list()).data).toHaveLength(1)
    // The identifier is a locator, and the client escapes it.
    expect((await nylas.grants.find({ grantId: email })).data.id).toBe(grant.id)
  })

  test('finds, changes and deletes a grant', async () => {
    const nylas = await newClient()
    await connectVirtual(nylas)
    const grant = await authenticate(nylas, 'user@acme.test')
    for (const grantId of [
      grant.id,
      grant.id.toUpperCase(),
      'user@acme.test',
      'USER%40acme.test',
      'email:user@acme.test',
    ]) {
      expect((await nylas.grants.find({ grantId })).data).toMatchObject({ id: grant.id, email: 'user@acme.test' })
    }
    const changed = await nylas.grants.update({ grantId: grant.id, requestBody: { scope: ['calendar'] } })
    expect(changed.data.scope).toEqual(['calendar'])
    const settings = await nylas.grants.update({
      grantId: 'user@acme.test',
      requestBody: { settings: { email: 'user@acme.test' } },
    })
    expect(settings.data).toMatchObject({ id: grant.id, settings: { email: 'user@acme.test' }, scope: ['calendar'] })
    expect((await nylas.grants.destroy({ grantId: grant.id })).requestId).toMatch(uuid)
    for (const grantId of [grant.id, 'user@acme.test']) {
      expect(await failureOf(nylas.grants.find({ grantId }))).toMatchObject({
        statusCode: 404,
        type: 'grant.not_found',
      })
      expect(await failureOf(nylas.grants.destroy({ grantId }))).toMatchObject({ statusCode: 404 })
    }
    expect((await authenticate(nylas, 'user@acme.test')).id).not.toBe(grant.id)
  })

  test('lists grants with every option', async () => {
    const nylas = await newClient()
    await connectVirtual(nylas)
    const grants: Grant[] = []
    for (const name of ['ann', 'ben', 'cat', 'dan', 'eve']) grants.push(await authenticate(nylas, `${name}@acme.test`))
    const ids = grants.map(({ id }) => id)
    const list = async (queryParams: NonNullable<Parameters<typeof nylas.grants.list>[0]>['queryParams']) =>
      (await nylas.grants.list({ queryParams })).data.map(({ id }) => id)
    const created = grants[0]?.createdAt ?? 0
    const latest = grants.at(-1)?.createdAt ?? 0

    expect(new Set(await list({}))).toEqual(new Set(ids))
    const asc = await list({ sortBy: 'created_at', orderBy: 'asc' })
    expect(await list({ sortBy: 'created_at', orderBy: 'desc' })).toEqual([...asc].reverse())
    expect(new Set(await list({ sortBy: 'updated_at', orderBy: 'asc' }))).toEqual(new Set(ids))
    expect(await list({ limit: 2, offset: 1, orderBy: 'asc' })).toEqual(asc.slice(1, 3))
    expect(await list({ since: created, before: latest })).toHaveLength(5)
    expect(await list({ since: latest + 1 })).toEqual([])
    expect(await list({ before: created - 1 })).toEqual([])
    expect(await list({ email: 'BEN@acme.test' })).toEqual([ids[1]])
    expect(await list({ grantStatus: 'valid' })).toHaveLength(5)
    expect(await list({ grantStatus: 'invalid' })).toEqual([])
    expect(await list({ ip: '192.0.2.1' })).toEqual([])
    expect(await list({ provider: 'virtual-calendar' })).toHaveLength(5)
    expect(await list({ provider: 'google' })).toEqual([])
    const all = { limit: 200, offset: 0, since: created, before: latest, provider: 'virtual-calendar' } as const
    expect(await list({ ...all, email: 'eve@acme.test', grantStatus: 'valid', sortBy: 'updated_at' })).toEqual([ids[4]])
  })

  test('reads a long list page by page, and fills a limit that is larger than a page', async () => {
    const { id, key } = await service.createApplication('Many')
    const nylas = clientOf(key)
    await connectVirtual(nylas)
    const { database, secrets, clock, log } = service.services.storage
    const { notify } = service.services.notifications
    // Uses the function in which every authentication ends: two hundred calls over the port would only take time.
    const owner = { id, workspaceId: 'workspace', grantLimit: null }
    const signal = AbortSignal.timeout(30_000)
    const ioFor = (kind: string) => service.services.accounts.ioFor(kind, signal)
    await database.transaction(async (tx) => {
      for (let number = 0; number < 230; number++) {
        const request = { provider: 'virtual-calendar', settings: { email: `user-${number}` } }
        const account = await tryAccount(tx, owner, request, {
          providers: service.services.accounts.providers,
          secrets,
          ioFor,
        })
        await grantAccess(tx, owner, account, { secrets, log, notify, now: clock.now() })
      }
    })
    const large = await nylas.grants.list({ queryParams: { limit: 225 } })
    expect(new Set(large.data.map((grant) => grant.id)).size).toBe(225)
    const more = await nylas.grants.list({ queryParams: { limit: 500 } })
    expect(new Set(more.data.map((grant) => grant.id)).size).toBe(230)
    expect(more.nextCursor).toBeUndefined()
    const pages = await restOf(await nylas.grants.list({ queryParams: { limit: 100 } }))
    expect(pages.map((page) => page.length)).toEqual([100, 30])
  })

  test('detects the provider of an address', async () => {
    const sandbox = clientOf(service.apiKey)
    expect((await sandbox.auth.detectProvider({ email: 'someone@gmail.com' })).data).toEqual({
      emailAddress: 'someone@gmail.com',
      detected: true,
      provider: 'google',
    })
    expect((await sandbox.auth.detectProvider({ email: 'someone@acme.test' })).data.provider).toBe('google')
    const all = await sandbox.auth.detectProvider({ email: 'someone@gmx.de', allProviderTypes: true })
    expect(all.data).toMatchObject({ detected: true, provider: 'imap', type: 'gmx' })
    const none = await sandbox.auth.detectProvider({ email: 'someone@gmx.de', allProviderTypes: false })
    expect(none.data).toEqual({ emailAddress: 'someone@gmx.de', detected: false })
    expect(await failureOf(sandbox.auth.detectProvider({ email: 'nobody' }))).toMatchObject({ statusCode: 400 })
  })

  test('gets every failure in its own error class', async () => {
    const nylas = await newClient()
    const fax = { requestBody: { name: 'Fax', provider: kind('fax') } }
    const virtual = (email: string) => ({ requestBody: { provider: 'virtual-calendar', settings: { email } } }) as const
    const cases: [string, () => Promise<unknown>, { statusCode: number; type: string }][] = [
      [
        'a wrong key',
        () => clientOf('nyk_wrong').grants.list(),
        { statusCode: 401, type: 'token.unauthorized_access' },
      ],
      [
        'an unknown grant',
        () => nylas.grants.find({ grantId: randomUUID() }),
        { statusCode: 404, type: 'grant.not_found' },
      ],
      [
        'an unknown object',
        () => nylas.applications.redirectUris.find({ redirectUriId: randomUUID() }),
        { statusCode: 404, type: 'not_found_error' },
      ],
      [
        'data of an unknown grant',
        () => nylas.calendars.list({ identifier: randomUUID() }),
        { statusCode: 404, type: expect.stringMatching(/not_found/) },
      ],
      [
        'a bad limit',
        () => nylas.grants.list({ queryParams: { limit: -1 } }),
        { statusCode: 400, type: 'invalid_request_error' },
      ],
      ['an unknown provider', () => nylas.connectors.create(fax), { statusCode: 400, type: 'invalid_request_error' }],
      [
        'no connector',
        () => nylas.auth.customAuthentication(virtual('a@acme.test')),
        { statusCode: 400, type: 'invalid_request_error' },
      ],
      [
        'a body that is too large',
        () => nylas.auth.customAuthentication(virtual('a'.repeat(1_100_000))),
        { statusCode: 413, type: 'invalid_request_error' },
      ],
    ]
    for (const [what, call, expected] of cases) {
      const error = await failureOf(call())
      expect({ what, statusCode: error.statusCode, type: error.type }).toEqual({ what, ...expected })
    }
    expect((await failureOf(nylas.auth.customAuthentication(virtual('a')))).message).toContain('virtual-calendar')
  })

  test('gets an error when the sandbox is full', async () => {
    const nylas = clientOf(service.apiKey)
    await connectVirtual(nylas)
    for (let number = 1; number <= 5; number++) await authenticate(nylas, `sandbox-${number}`)
    const error = await failureOf(authenticate(nylas, 'sandbox-6'))
    expect(error).toMatchObject({ statusCode: 403, type: 'grant.access_denied' })
    expect(error.message).toContain('5')
  })
})
