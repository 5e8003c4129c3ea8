/**
 * The isolation between applications, over every route of the contract. To the key of application A, an object of
 * application B is indistinguishable from one that does not exist. The matrix comes from `routesOf(contract)`, so it
 * includes new routes. A parameter without a value in `world.ts` fails the first test, which says what to add.
 */
import { randomUUID } from 'node:crypto'
import { contract, KeyOperation, methodsOf, type NamedRoute, paramsOf, routesOf } from '@waypost/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type Answer,
  type CallOptions,
  enginesFor,
  openService,
  type TestClock,
  type TestService,
  testClock,
} from '../../harness.ts'
import { leastBodyOf, queries } from '../../world/samples.ts'
import { everyOperation, furnish, type Tenant } from '../../world/world.ts'

interface World {
  service: TestService
  a: Required<Tenant>
  b: Required<Tenant>
  revokedKey: string
  expiredKey: string
  /** Access tokens of the two grants of A. */
  token: string
  otherToken: string
  authentications(): number
}

const nowhere = randomUUID()

/** Values that refer to nothing in any application, where it is not an id. */
const nothings: Record<string, string> = { provider: 'ews', 'connectorSetup.provider': 'telex' }

/**
 * Values that must look like a missing object to A, by parameter, besides those that every parameter has (`foreignTo`).
 * `undefined` takes one of those away.
 */
const furtherValues: Record<string, (world: World) => Record<string, string | undefined>> = {
  grant_id: ({ a, b }) => ({
    'the id with its prefix': `grant:${b.grantId}`,
    'the address of a grant of B': b.email,
    'the address in upper case': b.email.toUpperCase(),
    'the address with its prefix': `email:${b.email}`,
    'the external id of a grant of B': `external:${b.externalId}`,
    'the bare external id': b.externalId,
    'the id of a deleted grant of B': b.deleted.grantId,
    'the id of a deleted grant of A': a.deleted.grantId,
    'the address of a deleted grant of A': a.deleted.email,
    'an id of something else of B': b.values['credentials.id'],
    'the id of application B': b.applicationId,
    'a random address': 'nobody@nowhere.test',
    'a random external id': 'external:nobody',
    'a NUL behind me': 'me\0',
    'the word ME': 'ME',
    'a path': '../../../etc/passwd',
    // That is a grant of the caller.
    'that of another grant of A': undefined,
    'a grant of B': undefined,
  }),
  // Both applications have google; only B has imap; neither has ews.
  provider: ({ b }) => ({ ...providersOf(b), 'a provider that only B has': 'imap' }),
  // A provider, which belongs to no application.
  'connectorSetup.provider': ({ b }) => providersOf(b),
  workspace_id: ({ b }) => ({
    ...{ 'the default workspace of B': b.values.default_workspace_id, 'the domain of B': `own.${b.name}.test` },
  }),
  'credentials.id': ({ b }) => ({ 'a connector of B': b.values.connector_id }),
  'redirectUris.id': ({ b }) => ({ 'a credential of B': b.values['credentials.id'] }),
  'webhooks.id': ({ b }) => ({ 'a credential of B': b.values['credentials.id'] }),
  'deliveries.id': ({ b }) => ({ 'a credential of B': b.values['credentials.id'] }),
  'notifications.id': ({ b }) => ({ 'a destination of B': b.values['webhooks.id'] }),
  channel_id: ({ b }) => ({ 'a destination of B': b.values['webhooks.id'] }),
  'templates.template_id': ({ a }) => ({ 'a template of a grant of A': a.values.template_id }),
  'workflows.workflow_id': ({ a }) => ({ 'a workflow of a grant of A': a.values.workflow_id }),
  agent_id: ({ a }) => ({ 'a grant of A': a.grantId }),
  approval_id: ({ a }) => ({ 'a grant of A': a.grantId }),
  'bookings.booking_id': ({ a }) => ({ 'a configuration of A': a.values.configuration_id }),
  booking_id: ({ b }) => ({ 'a configuration of B': b.values.configuration_id }),
  // A day has passed since.
  session_id: ({ a, b }) => ({
    'a session that has expired': a.values['schedulingSessions.session_id'],
    'a configuration of B': b.values.configuration_id,
  }),
  application_id: ({ a }) => ({ 'application A itself': a.applicationId }),
  // The route with which an application reads itself: its own id is the only valid one.
  'applications.application_id': () => ({}),
}

const providersOf = (b: Tenant) => ({
  ...{ 'that of B': undefined, 'that of B in upper case': undefined },
  ...{ 'the id of the connector of B': b.values.connector_id, 'no provider at all': 'fax', 'a random id': nowhere },
})

/**
 * Ids in queries that filter a list. A deleted grant may still have something to read, and an unknown thread or
 * shared folder has no messages. The adapters decide what these find.
 */
const choosing: Record<string, readonly string[]> = {
  account_id: ['grants.list'],
  connector_id: ['grants.list'],
  workspace_id: ['grants.list', 'adminGrants.list', 'adminGrants.count'],
  grant_id: ['notifications.list', 'deliveries.attempts', 'approvals.list', 'bookings.list', 'agents.requests'],
  credential_id: ['approvals.list'],
  person_id: ['audit.list'],
  node_id: ['health.series'],
  configuration_id: ['bookings.list'],
  notification_id: ['deliveries.attempts'],
  last_event_id: ['notifications.list'],
  master_event_id: ['events.list'],
  parent_id: ['folders.list'],
  thread_id: ['messages.list', 'messages.export', 'drafts.list', 'threads.list'],
  shared_folder_id: [
    ...['messages.list', 'messages.export'],
    ...['threads.list', 'threads.get', 'threads.update', 'threads.delete'],
  ],
}

/**
 * Routes about the installation and its people: their objects belong to no application
 * (`api/pipeline/rights.test.ts`).
 */
const ofInstallation = new Set(['people', 'serviceAccounts', 'session', 'account', 'invitations', 'installation'])

const routes = routesOf(contract).filter(({ resource }) => !ofInstallation.has(resource))

/** The entry of a table for a parameter of a route. */
const entryOf = <T>(table: Record<string, T>, { resource }: NamedRoute, name: string): T | undefined =>
  table[`${resource}.${name}`] ?? table[name]

/** Where a route takes an id: in its path, or in a query that does not merely filter a list. */
const placesOf = ({ id, route }: NamedRoute): string[] => {
  const inQuery = Object.keys(route.query?.shape ?? {}).filter(
    (name) => name.endsWith('_id') && !choosing[name]?.includes(id),
  )
  return [...new Set([...paramsOf(route.path), ...inQuery])]
}
const withPlaces = routes.filter((each) => placesOf(each).length > 0)
const ofApplications = withPlaces.filter(({ route }) => route.audience !== 'administrator')
const ofAdministrators = withPlaces.filter(({ route }) => route.audience === 'administrator')
const behindKeys = routes.filter(({ route }) => route.audience !== 'public' && route.audience !== 'client')
/** What B, or the administrator of B, can read. Lists over all applications are left out. */
const readable = behindKeys.filter(
  // Pages of version 2 never existed here.
  ({ id, route }) =>
    id !== 'schedulingRedirects.find' &&
    route.method === 'GET' &&
    (route.audience !== 'administrator' || paramsOf(route.path).length > 0),
)
/** Routes open to an access token: those of its grant, and those that say so. */
const opened = ofApplications.filter(({ route }) => route.audience === 'grant' || route.token)
const lists = routes.filter(({ route }) => route.list && route.method === 'GET' && route.audience !== 'administrator')
const paged = routes.filter(
  ({ route }) => route.audience !== 'administrator' && route.query && 'page_token' in route.query.shape,
)
const pagedOfGrants = paged.filter(({ route }) => route.audience === 'grant')
const withoutCursor = ({ body: { next_cursor: _, ...body }, ...seen }: Seen) => ({ ...seen, body })
/** Routes that an API key opens. */
const keyed = behindKeys.filter(({ route }) => route.audience !== 'administrator')
/** The operations that a key can have for some grants only. */
const someGrants = KeyOperation.options.filter(
  (operation) => operation !== 'webhooks' && operation !== 'administration',
)
/** The operations that open a route, `every`, or `never`, as the route says itself. */
const expectedFor = ({ route: { right = 'never' } }: NamedRoute): readonly KeyOperation[] | 'every' | 'never' => {
  if (right === 'every' || right === 'never') return right
  return typeof right === 'string' ? [right] : right
}
/** Whether a route is closed to keys that may use some grants only. */
const wholeOnly = (expected: ReturnType<typeof expectedFor>): boolean =>
  expected !== 'every' && !(Array.isArray(expected) && expected.some((operation) => someGrants.includes(operation)))
/** The places of a route of the application that name an object of a grant. */
const ofOtherGrants = (each: NamedRoute): string[] => {
  const isOfGrant = each.route.audience === 'grant' || wholeOnly(expectedFor(each))
  return isOfGrant ? [] : placesOf(each).filter((name) => name === 'configuration_id' || name === 'booking_id')
}
const named = (list: readonly NamedRoute[]) => list.map((each) => [each.id, each] as const)

interface Seen {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** The cursor of the next page: files name it in a header. */
const cursorIn = ({ body, headers }: Answer) => body.next_cursor ?? headers.get('next-cursor')

/** A response without the parts that differ from request to request. */
async function look(service: TestService, method: string, target: string, options: CallOptions): Promise<Seen> {
  const answer = await service.call(method, target, options)
  const { request_id: _, ...body } = answer.body
  const headers = Object.fromEntries(answer.headers)
  delete headers['x-request-id']
  return { status: answer.status, headers, body }
}

async function buildWorld(service: TestService, clock: TestClock, authentications: () => number): Promise<World> {
  const furnishTwice = async (name: string) => (await furnish(service, { name, twice: true })) as Required<Tenant>
  const a = await furnishTwice('alpha')
  const keysOfA = `/v3/admin/applications/${a.applicationId}/api-keys`
  const create = async (body: object) =>
    (await service.call('POST', keysOfA, { admin: true, body: { name: 'key', ...body } })).body.data
  const expired = await create({ expires_in: 1 })
  const revoked = await create({})
  await service.call('DELETE', `${keysOfA}/${revoked.id}`, { admin: true })
  clock.advance(86_400_000)
  const b = await furnishTwice('bravo')
  await service.call('POST', '/v3/connectors', { key: b.key, body: { provider: 'imap', name: 'bravo imap' } })
  const tokenOf = async (grant_id: string): Promise<string> => {
    const client = { client_id: a.applicationId, client_secret: a.key }
    const body = { grant_type: 'client_credentials', ...client, grant_id }
    return (await service.call('POST', '/v3/connect/token', { key: null, body })).body.access_token
  }
  return {
    ...{ service, a, b, revokedKey: revoked.api_key, expiredKey: expired.api_key, authentications },
    ...{ token: await tokenOf(a.grantId), otherToken: await tokenOf(a.second.grantId) },
  }
}

/** A PostgreSQL that others use shows the stream late: waits until it has the last notification of B. */
async function settled({ service, b }: World): Promise<void> {
  const last = async () => (await service.call('GET', '/v3/notifications?limit=200', { key: b.key })).body.data.at(-1)
  await vi.waitFor(async () => expect(await last()).toMatchObject({ type: 'grant.deleted' }), 20_000)
}

/** Values that identify an application: none of B's may be visible to A. */
const marksOf = ({ name, externalId, values }: Tenant): string[] => [
  ...new Set([
    name,
    externalId,
    ...Object.values(values).filter((value) => !['google', 'page', 'none'].includes(value)),
  ]),
]
const marksIn = (text: string, marks: readonly string[]): string[] => marks.filter((mark) => text.includes(mark))

const wrongCursor = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

describe.each(enginesFor(import.meta.url))('tenant isolation on %s', (engine) => {
  let world: World
  let before: Map<string, Record<string, unknown>>
  const clock = testClock()
  let calls = 0

  /** The value that a tenant has for a parameter of a route. */
  const valueIn = (tenant: Tenant, each: NamedRoute, name: string): string => {
    const value = tenant.params(each)[name]
    if (value) return value
    throw new Error(
      `The route ${each.id} takes ${name}, for which tenants have no value. Let \`furnish\` in test/world/world.ts make ` +
        `the object, and add its id to \`values\` there, as ${name} or ${each.resource}.${name}. If it is a query that ` +
        'only filters a list, add it to `choosing` in tenant-wall.test.ts.',
    )
  }
  type Choose = (each: NamedRoute, name: string) => string
  const own: Choose = (each, name) => valueIn(world.a, each, name)
  const theirs: Choose = (each, name) => valueIn(world.b, each, name)
  const nothing: Choose = (each, name) => entryOf(nothings, each, name) ?? nowhere
  const bodyOf = (each: NamedRoute) => leastBodyOf(each, world.a)

  /** Values that must look like a missing object to A: objects of B, or deleted ones. */
  const foreignTo = (each: NamedRoute, name: string): [string, string][] => {
    const that = theirs(each, name)
    const other = each.route.audience === 'grant' ? world.a.second.values[name] : undefined
    const all: Record<string, string | undefined> = {
      ...{ 'that of B': that, 'that of B in upper case': that.toUpperCase(), 'that of another grant of A': other },
      ...{ 'a grant of B': world.b.grantId, 'no id at all': 'x', 'an injection': "' or 1=1--" },
      ...entryOf(furtherValues, each, name)?.(world),
    }
    return Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  }

  /** A path with its parameters filled in. */
  const fillPath = (each: NamedRoute, template: string, choose: Choose): string =>
    template.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(choose(each, name)))

  /** A path with its parameters filled in, and the query that the route requires, with further parameters. */
  const fill = (each: NamedRoute, choose: Choose, further: Record<string, string> = {}): string =>
    `${fillPath(each, each.route.path, choose)}?${new URLSearchParams({ ...queries[each.id], ...further })}`

  /** Everything that B, and the administrator of B, can read. */
  async function readB(): Promise<Map<string, Record<string, unknown>>> {
    const seen = new Map<string, Record<string, unknown>>()
    for (const each of readable) {
      const target = fill(each, theirs)
      const options = each.route.audience === 'administrator' ? { admin: true } : { key: world.b.key }
      const { status, body } = await look(world.service, 'GET', target, options)
      expect({ route: each.id, status }).toEqual({ route: each.id, status: 200 })
      seen.set(target, body)
    }
    return seen
  }

  beforeAll(async () => {
    const service = await openService({
      engine,
      overrides: { clock, ...everyOperation(() => calls++) },
    })
    world = await buildWorld(service, clock, () => calls)
    await settled(world)
    before = await readB()
  })
  afterAll(async () => {
    await world?.service[Symbol.asyncDispose]()
  })

  test('every parameter has a value of both applications, and every body and query has a sample', () => {
    for (const each of routes) {
      const { id, route } = each
      for (const name of placesOf(each)) expect([own(each, name), theirs(each, name)]).not.toContain('none')
      const seen = [route.query?.safeParse(queries[id] ?? {}), route.body?.safeParse(bodyOf(each))]
      if (withPlaces.includes(each))
        expect(
          seen.map((result) => result?.success ?? true),
          `${id} has required fields: add a sample to \`queries\` or \`bodies\` in test/world/samples.ts`,
        ).toEqual([true, true])
    }
  })

  /**
   * On SQLite, A itself tries every foreign value at every place. The other store and the administrator try every
   * place too, with the first value and a rotating third of the others.
   */
  let turn = 0
  const some = <T>(list: readonly T[], all = engine === 'sqlite'): readonly T[] => {
    turn++
    return all ? list : list.filter((_, index) => index === 0 || (index + turn) % 3 === 0)
  }

  /** The callers that try: A itself, and the administrator acting for A. */
  const attackers = (): [string, CallOptions][] => [
    ['the key of A', { key: world.a.key }],
    ['the administrator for A', { admin: true, headers: { 'x-waypost-application': world.a.applicationId } }],
  ]

  /** Varies one id at a time over all foreign values, and expects the response for a missing object. */
  async function expectNothing(each: NamedRoute, places: readonly string[], options: CallOptions, status: number) {
    const body = bodyOf(each)
    const call = { ...options, ...(body === undefined ? {} : { body }) }
    const { path: main, aliases = [] } = each.route
    for (const template of [main, ...aliases]) {
      for (const method of methodsOf(each.route)) {
        for (const varied of places) {
          const inPath = template.includes(`:${varied}`)
          const target = (choose: Choose) => {
            const query = { ...queries[each.id], ...(inPath ? {} : { [varied]: choose(each, varied) }) }
            const mixed: Choose = (_, name) => (name === varied ? choose : own)(each, name)
            return `${fillPath(each, template, mixed)}?${new URLSearchParams(query)}`
          }
          const unseen = await look(world.service, method, target(nothing), call)
          expect(unseen.status).toBe(status)
          for (const [what, value] of some(foreignTo(each, varied), engine === 'sqlite' && !options.admin)) {
            // An invalid query is refused before its object is looked up.
            if (!inPath && value.includes('\0')) continue
            const seen = await look(
              world.service,
              method,
              target(() => value),
              call,
            )
            expect({ method, template, varied, what, ...seen }).toEqual({ method, template, varied, what, ...unseen })
          }
        }
      }
    }
  }

  test.each(named(ofApplications))('%s does not find objects of another application', async (_, each) => {
    for (const [, options] of attackers()) await expectNothing(each, placesOf(each), options, 404)
  })

  test.each(named(ofAdministrators))('%s is closed, whatever the request refers to', async (_, each) => {
    await expectNothing(each, placesOf(each), { key: world.a.key }, 401)
  })

  test.each(named(ofAdministrators.filter(({ route }) => paramsOf(route.path).length > 1)))(
    '%s treats an object of another application as missing, even from the administrator',
    async (_, each) => {
      const names = paramsOf(each.route.path).filter((name) => name !== 'application_id')
      await expectNothing(each, names, { admin: true }, 404)
    },
  )

  test.each(named(behindKeys))('%s answers a revoked, an expired and an unknown key the same way', async (_, each) => {
    const body = bodyOf(each)
    for (const method of methodsOf(each.route)) {
      const answers = new Set<string>()
      for (const key of [world.revokedKey, world.expiredKey, `${world.a.key}x`, randomUUID()]) {
        for (const choose of some([theirs, own, nothing])) {
          const target = fill(each, choose)
          answers.add(JSON.stringify(await look(world.service, method, target, { key, body })))
        }
      }
      expect([...answers]).toHaveLength(1)
      expect(JSON.parse([...answers].join())).toMatchObject({ status: 401 })
    }
  })

  test.each(named(paged))('%s refuses a cursor of another application like a made-up one', async (_, each) => {
    const target = (choose: Choose, token?: string) =>
      fill(each, choose, { limit: '1', ...(token ? { page_token: token } : {}) })
    const first = await world.service.call('GET', target(theirs), { key: world.b.key })
    const cursor = cursorIn(first)
    expect(cursor, `let \`furnish\` make at least two objects for ${each.id}`).toBeTypeOf('string')
    for (const [, options] of attackers()) {
      for (const choose of [own, theirs, nothing]) {
        const refused = await look(world.service, 'GET', target(choose, wrongCursor), options)
        expect(refused.status).toBeGreaterThanOrEqual(400)
        expect(await look(world.service, 'GET', target(choose, cursor), options)).toEqual(refused)
      }
      expect((await look(world.service, 'GET', target(own, cursor), options)).status).toBe(400)
    }
    const second = await world.service.call('GET', target(theirs, cursor), { key: world.b.key })
    if (each.route.bytes) expect(second.status).toBe(200)
    else expect(second.body.data).toHaveLength(1)
  })

  test.each(named(lists))('%s never returns a row of another application, with any filter', async (_, each) => {
    const marks = marksOf(world.b)
    const shown = async (further: Record<string, string>, options: CallOptions) =>
      JSON.stringify((await look(world.service, 'GET', fill(each, own, further), options)).body)
    // The guide describes providers, and the health of a destination is numbers: neither contains data of an
    // application.
    if (each.id !== 'connect.guide' && each.id !== 'webhooks.health') {
      const hint = 'let `furnish` put the name of the application into what it makes'
      expect(marksIn(JSON.stringify(before.get(fill(each, theirs))), marks), hint).not.toEqual([])
      expect(marksIn(await shown({}, { key: world.a.key }), marksOf(world.a)), hint).not.toEqual([])
    }
    const shape = each.route.query?.shape ?? {}
    for (const [, options] of attackers()) {
      const texts = [await shown('limit' in shape ? { limit: '200' } : {}, options)]
      for (const filter of Object.keys(shape).filter((name) => name !== 'page_token')) {
        // A filter that takes no such text refuses them all alike.
        const taken = marks.filter((mark, index) => index === 0 || shape[filter]?.safeParse(mark).success)
        for (const mark of some(taken, engine === 'sqlite' && !options.admin)) {
          texts.push(await shown({ [filter]: mark }, options))
        }
      }
      for (const text of texts) expect(marksIn(text, marks)).toEqual([])
    }
  })

  /** Every way to refer to a grant other than the token's, and finally one that matches nothing. */
  const notOwn = ({ a, b }: World): string[] => [
    a.second.grantId,
    a.second.grantId.toUpperCase(),
    `grant:${a.second.grantId}`,
    a.second.email,
    `email:${a.second.email.toUpperCase()}`,
    `external:${a.second.externalId}`,
    a.deleted.grantId,
    b.grantId,
    b.email,
    nowhere,
  ]

  test.each(named(opened.filter((each) => placesOf(each).includes('grant_id'))))(
    '%s is closed to an access token of another grant, which cannot find out whether the grant exists',
    async (_, each) => {
      const inPath = paramsOf(each.route.path).includes('grant_id')
      for (const method of methodsOf(each.route)) {
        const ask = (value: string) => {
          const name: Choose = (_, place) => (place === 'grant_id' ? value : own(each, place))
          const target = fill(each, name, inPath ? {} : { grant_id: value })
          return look(world.service, method, target, { key: world.token, body: bodyOf(each) })
        }
        const unseen = await ask(nowhere)
        expect(unseen).toMatchObject({ status: 403, body: { error: { type: 'grant.access_denied' } } })
        for (const value of some(notOwn(world))) expect({ value, ...(await ask(value)) }).toEqual({ value, ...unseen })
      }
    },
  )

  test.each(named(opened))('%s of another grant does not exist for an access token', async (_, each) => {
    const places = placesOf(each).filter((name) => name !== 'grant_id')
    if (places.length > 0) await expectNothing(each, places, { key: world.token }, 404)
  })

  test.each(named(behindKeys.filter((each) => !opened.includes(each) && each.route.audience === 'application')))(
    '%s is closed to access tokens, unless it says otherwise',
    async (_, each) => {
      if (each.route.token) return
      const options = { key: world.token, body: bodyOf(each) }
      expect((await look(world.service, each.route.method, fill(each, own), options)).status).toBe(401)
    },
  )

  test.each(named(pagedOfGrants))('%s accepts a cursor only for the grant that it was issued for', async (_, each) => {
    const page = (grant: string, key: string, cursor?: string) => {
      const choose: Choose = (_, name) => (name === 'grant_id' ? grant : own(each, name))
      const target = fill(each, choose, { limit: '1', ...(cursor ? { page_token: cursor } : {}) })
      return world.service.call('GET', target, { key })
    }
    const { a, token, otherToken } = world
    const cursor = cursorIn(await page('me', token))
    expect(cursor).toBeTypeOf('string')
    // Every way to refer to the grant: it is the same one.
    for (const [grant, key] of [
      ['me', token],
      [a.email, token],
      [a.grantId, a.key],
      [`external:${a.externalId}`, a.key],
    ] as const) {
      expect([grant, (await page(grant, key, cursor)).status]).toEqual([grant, 200])
    }
    for (const [grant, key] of [
      ['me', otherToken],
      [a.second.grantId, otherToken],
      [a.second.grantId, a.key],
      [a.second.email, a.key],
    ] as const) {
      expect([grant, (await page(grant, key, cursor)).status]).toEqual([grant, 400])
    }
  })

  test('an access token can read only the busy times of its own grant', async () => {
    const { service, a, b, token } = world
    const start = Math.ceil(clock.now() / 300_000) * 300
    const span = { start_time: start, end_time: start + 7 * 86_400 }
    const ask = (target: string, body: object, key = token) => look(service, 'POST', target, { key, body })
    const emails = [
      a.email,
      a.second.email,
      a.second.email.toUpperCase(),
      ` ${a.second.email} `,
      b.email,
      'nobody@x.test',
    ]
    for (const grant of ['me', a.grantId, a.email]) {
      const { body } = await ask(`/v3/grants/${grant}/calendars/free-busy`, { ...span, emails })
      const [first, ...others] = body.data as { object: string; email: string }[]
      expect(first).toMatchObject({ object: 'free_busy', email: a.email })
      expect(others).toEqual(
        emails.slice(1).map((email) => ({ email, object: 'error', error: `no calendar found for ${email}` })),
      )
    }
    const available = (key: string, ...participants: object[]) =>
      ask('/v3/calendars/availability', { ...span, duration_minutes: 30, participants }, key)
    for (const participant of [
      { email: a.email },
      { grant_id: a.grantId },
      { grant_id: 'me' },
      { grant_id: a.email },
    ]) {
      expect(await available(token, participant)).toMatchObject({ status: 200 })
    }
    const unseen = await available(token, { email: 'nobody@x.test' })
    expect(unseen).toMatchObject({ status: 403, body: { error: { type: 'grant.access_denied' } } })
    for (const other of notOwn(world)) {
      for (const participant of [{ grant_id: other }, { email: other }, { email: a.email, grant_id: other }]) {
        expect(await available(token, participant)).toEqual(unseen)
      }
    }
    expect((await available(token, { email: a.email }, { email: a.second.email })).status).toBe(403)
    for (const calendar of [a.second.values.calendar_id, a.second.email, b.values.calendar_id]) {
      expect((await available(token, { email: a.email, calendar_ids: [calendar] })).status).toBe(400)
    }
    // The application's own key can query all of its grants.
    expect((await available(a.key, { email: a.email }, { email: a.second.email })).status).toBe(200)
  })

  test('an Idempotency-Key of another grant of the application returns no stored response to an access token', async () => {
    const { service, a, token, otherToken } = world
    const start = Math.ceil(clock.now() / 300_000) * 300
    const body = {
      start_time: start,
      end_time: start + 86_400,
      duration_minutes: 30,
      participants: [{ grant_id: 'me' }],
    }
    const asked = async (key: string) => {
      const headers = { 'idempotency-key': 'asked-by-many' }
      const answer = await service.call('POST', '/v3/calendars/availability', { key, body, headers })
      return answer.body.data.time_slots[0].emails
    }
    expect(await asked(otherToken)).toEqual([a.second.email])
    expect(await asked(token)).toEqual([a.email])
  })

  describe('restricted keys', () => {
    const made = new Map<string, Promise<string>>()
    /** A restricted key of A. Nothing needs approval, so that requests are answered like those of the whole key. */
    const keyWith = (rights: object): Promise<string> => {
      const wanted = JSON.stringify(rights)
      const existing = made.get(wanted)
      if (existing) return existing
      const create = async (): Promise<string> => {
        const body = { name: 'restricted', rights: { approval: [], ...rights } }
        const path = `/v3/admin/applications/${world.a.applicationId}/api-keys`
        const answer = await world.service.call('POST', path, { admin: true, body })
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
        return answer.body.data.api_key
      }
      const key = create()
      made.set(wanted, key)
      return key
    }
    /** A key that may do everything that is possible with some grants. */
    const limitedTo = (grants: object): Promise<string> => keyWith({ operations: someGrants, grants })
    /** The two ways to limit a key to the first grant of A. */
    const limits = async (): Promise<string[]> => [
      await limitedTo({ ids: [world.a.grantId] }),
      await limitedTo({ metadata: { team: 'one' } }),
    ]

    beforeAll(async () => {
      const { service, a } = world
      for (const [grant, team] of [
        [a.grantId, 'one'],
        [a.second.grantId, 'two'],
      ] as const) {
        // The other grant has the pair of the first one elsewhere in its document.
        const metadata = { team, ...(team === 'two' ? { 'not "team"': '"team":"one"', note: 'one' } : {}) }
        await service.call('PATCH', `/v3/grants/${grant}`, { key: a.key, body: { metadata } })
      }
    })

    test.each(named(keyed))('%s is open to keys with its right, and to no others', async (_, each) => {
      const expected = expectedFor(each)
      // Nothing changes: objects do not exist, and bodies have the wrong form.
      const isInGrant = each.route.audience === 'grant' || each.route.method === 'GET'
      const target = fill(each, (_, name) => (name === 'grant_id' && isInGrant ? own : nothing)(each, name))
      const body = each.route.body ? 'no object' : undefined
      for (const method of methodsOf(each.route)) {
        const seenByAll = await look(world.service, method, target, { key: world.a.key, body })
        // A restricted key sees its own approvals, and these keys have none.
        const whole = each.id === 'approvals.list' ? { ...seenByAll, body: { data: [] } } : seenByAll
        for (const operation of KeyOperation.options) {
          const key = await keyWith({ operations: [operation] })
          const seen = await look(world.service, method, target, { key, body })
          const isOpen = expected === 'every' || (Array.isArray(expected) && expected.includes(operation))
          // Every cursor is sealed anew.
          // Keys that read objects see the notifications of these objects; only `webhooks` sees all.
          if (isOpen && each.id === 'notifications.list' && operation !== 'webhooks') {
            expect(seen.status).toBe(200)
            const [some, all] = [seen, seenByAll].map(({ body: { data } }) => data as unknown[])
            expect(some?.length).toBeLessThan(all?.length ?? 0)
            expect(all).toEqual(expect.arrayContaining(some ?? []))
          } else if (isOpen)
            expect({ operation, ...withoutCursor(seen) }).toEqual({ operation, ...withoutCursor(whole) })
          else {
            const { status, body: refused } = seen
            expect({ operation, status, refused }).toMatchObject({
              ...{ operation, status: 403 },
              refused: { error: { type: 'api.missing_right' } },
            })
            const wanted = expected === 'never' ? 'an API key with all rights' : [expected].flat().slice(0, 1).join()
            expect(JSON.stringify(refused)).toContain(wanted)
          }
        }
      }
    })

    test('a permanent deletion needs mail.delete, moving to the trash does not', async () => {
      const { service, a } = world
      const target = `/v3/grants/${a.grantId}/messages/${nowhere}`
      const status = async (operation: string, query: string) =>
        (await look(service, 'DELETE', `${target}${query}`, { key: await keyWith({ operations: [operation] }) })).status
      expect(await status('mail.organize', '')).toBe(404)
      expect(await status('mail.organize', '?hard_delete=false')).toBe(404)
      expect(await status('mail.organize', '?hard_delete=true')).toBe(403)
      const allowed = await look(service, 'DELETE', `${target}?hard_delete=true`, {
        key: await keyWith({ operations: ['mail.delete'] }),
      })
      expect(allowed.body).not.toMatchObject({ error: { type: 'api.missing_right' } })
    })

    test.each(named(keyed.filter((each) => placesOf(each).includes('grant_id'))))(
      '%s does not find a grant that the key may not use',
      async (_, each) => {
        const inPath = paramsOf(each.route.path).includes('grant_id')
        const isWhole = wholeOnly(expectedFor(each))
        for (const key of await limits()) {
          for (const method of methodsOf(each.route)) {
            const ask = (value: string) => {
              const name: Choose = (_, place) => (place === 'grant_id' ? value : own(each, place))
              const target = fill(each, name, inPath ? {} : { grant_id: value })
              return look(world.service, method, target, { key, body: bodyOf(each) })
            }
            const unseen = await ask(nowhere)
            expect(unseen.status).toBe(isWhole ? 403 : 404)
            for (const value of some(notOwn(world))) {
              expect({ value, ...(await ask(value)) }).toEqual({ value, ...unseen })
            }
          }
        }
      },
    )

    test.each(named(keyed.filter((each) => ofOtherGrants(each).length > 0)))(
      '%s does not find what belongs to a grant that the key may not use',
      async (_, each) => {
        for (const key of [
          await limitedTo({ ids: [world.a.second.grantId] }),
          await limitedTo({ metadata: { team: 'two' } }),
        ]) {
          for (const varied of ofOtherGrants(each)) {
            const inPath = paramsOf(each.route.path).includes(varied)
            const ask = (choose: Choose) => {
              const further = inPath ? {} : { [varied]: choose(each, varied) }
              const target = fill(each, (_, name) => (name === varied ? choose : own)(each, name), further)
              return look(world.service, each.route.method, target, { key, body: bodyOf(each) })
            }
            const unseen = await ask(nothing)
            expect(unseen.status).toBe(404)
            expect({ varied, ...(await ask(own)) }).toEqual({ varied, ...unseen })
          }
        }
      },
    )

    test.each(named(lists.filter((each) => !wholeOnly(expectedFor(each)))))(
      '%s lists nothing of a grant that the key may not use',
      async (_, each) => {
        const { a } = world
        const hidden = [
          a.second.grantId,
          a.second.email,
          a.second.values.calendar_id,
          a.second.values.configuration_id,
          'alpha-second',
        ]
        for (const key of await limits()) {
          const shape = each.route.query?.shape ?? {}
          const filters = ['grant_id', 'email', 'search'].filter((name) => name in shape)
          const wide: Record<string, string> = 'limit' in shape ? { limit: '200' } : {}
          for (const further of [
            wide,
            ...filters.map((name) => ({ [name]: a.second.email })),
            ...filters.map((name) => ({ [name]: a.second.grantId })),
          ]) {
            const { body } = await look(world.service, 'GET', fill(each, own, further), { key })
            expect(marksIn(JSON.stringify(body), hidden)).toEqual([])
          }
        }
      },
    )

    test('lists over the application contain the grants that the key may use, page by page', async () => {
      const { service, a } = world
      const ids = async (key: string, path: string, name: string) => {
        const found: unknown[] = []
        for (let next = ''; ; ) {
          const { status, body } = await service.call('GET', `${path}?limit=1${next}`, { key })
          expect(status).toBe(200)
          found.push(...body.data.map((each: Record<string, unknown>) => each[name]))
          if (!body.next_cursor) return [...new Set(found)]
          next = `&page_token=${body.next_cursor}`
        }
      }
      const [first, byMetadata] = await limits()
      const second = await limitedTo({ ids: [a.second.grantId] })
      const both = await limitedTo({ ids: [a.grantId, a.second.grantId] })
      const everything = await keyWith({ operations: ['scheduling'] })
      for (const [path, name] of [
        ['/v3/grants', 'id'],
        ['/v3/scheduling/configurations', 'grant_id'],
      ] as const) {
        expect(await ids(first ?? '', path, name)).toEqual([a.grantId])
        expect(await ids(byMetadata ?? '', path, name)).toEqual([a.grantId])
        expect(await ids(second, path, name)).toEqual([a.second.grantId])
        expect((await ids(both, path, name)).toSorted()).toEqual([a.grantId, a.second.grantId].toSorted())
        expect((await ids(everything, path, name)).toSorted()).toEqual((await ids(a.key, path, name)).toSorted())
      }
      const bookings = '/v3/scheduling/bookings'
      expect(await ids(first ?? '', bookings, 'grant_id')).toEqual([a.grantId])
      expect(await ids(byMetadata ?? '', bookings, 'grant_id')).toEqual([a.grantId])
      expect(await ids(second, bookings, 'grant_id')).toEqual([])
    })

    test('a grant that gets the pair later is in reach from then on, and one that loses it is not', async () => {
      const { service, a } = world
      const key = await limitedTo({ metadata: { later: 'yes' } })
      const change = (metadata: object) =>
        service.call('PATCH', `/v3/grants/${a.second.grantId}`, { key: a.key, body: { metadata } })
      const seen = async () => [
        (await service.call('GET', '/v3/grants', { key })).body.data.length,
        (await service.call('GET', `/v3/grants/${a.second.grantId}/calendars`, { key })).status,
      ]
      expect(await seen()).toEqual([0, 404])
      await change({ team: 'two', later: 'yes' })
      expect(await seen()).toEqual([1, 200])
      await change({ team: 'two' })
      expect(await seen()).toEqual([0, 404])
    })

    test('busy times of others come only from grants that the key may use', async () => {
      const { service, a, b } = world
      const start = Math.ceil(clock.now() / 300_000) * 300
      const span = { start_time: start, end_time: start + 7 * 86_400 }
      const others = [a.second.email, a.second.email.toUpperCase(), ` ${a.second.email} `, b.email, 'nobody@x.test']
      for (const key of await limits()) {
        const ask = (target: string, body: object) => look(service, 'POST', target, { key, body })
        const { body } = await ask(`/v3/grants/${a.grantId}/calendars/free-busy`, {
          ...span,
          emails: [a.email, ...others],
        })
        expect(body.data).toEqual([
          expect.objectContaining({ object: 'free_busy', email: a.email }),
          ...others.map((email) => ({ email, object: 'error', error: `no calendar found for ${email}` })),
        ])
        const available = (...participants: object[]) =>
          ask('/v3/calendars/availability', { ...span, duration_minutes: 30, participants })
        expect((await available({ email: a.email })).status).toBe(200)
        const missing = await available({ grant_id: nowhere })
        expect(missing.status).toBe(400)
        const without = (answer: object, name: string) => JSON.stringify(answer).replaceAll(name, '')
        for (const other of [a.second.grantId, a.second.email, `external:${a.second.externalId}`]) {
          expect(without(await available({ grant_id: other }), other)).toEqual(without(missing, nowhere))
        }
        expect((await available({ email: a.email }, { email: a.second.email })).status).toBe(400)
      }
    })

    test('a booking page can name as hosts only grants that the key may use, and sessions open only their pages', async () => {
      const { service, a } = world
      const [key = ''] = await limits()
      const pages = `/v3/grants/${a.grantId}/scheduling/configurations`
      const page = { availability: { duration_minutes: 30 }, event_booking: { title: 'wall' } }
      const hours = { availability: { calendar_ids: ['primary'] }, booking: { calendar_id: 'primary' } }
      const create = (email: string) =>
        look(service, 'POST', pages, { key, body: { ...page, participants: [{ ...hours, email }] } })
      expect((await create(a.email)).status).toBe(200)
      const missing = await create('nobody@x.test')
      expect(missing.status).toBe(400)
      expect(await create(a.second.email)).toEqual(missing)
      const session = (configuration_id: string, by: string) =>
        look(service, 'POST', '/v3/scheduling/sessions', { key: by, body: { configuration_id } })
      expect(await session(a.second.values.configuration_id, key)).toEqual(await session(nowhere, key))
      const theirs = await session(a.second.values.configuration_id, a.key)
      const opened = (theirs.body.data as { session_id: string }).session_id
      for (const method of ['GET', 'DELETE']) {
        const target = (id: string) => `/v3/scheduling/sessions/${id}`
        expect(await look(service, method, target(opened), { key })).toEqual(
          await look(service, method, target(nowhere), { key }),
        )
      }
      expect((await look(service, 'GET', `/v3/scheduling/sessions/${opened}`, { key: a.key })).status).toBe(200)
    })

    test('a restricted key is no secret of an OAuth client, and opens no administrator route', async () => {
      const { service, a } = world
      const key = await keyWith({ operations: [...someGrants, 'webhooks', 'administration'] })
      const token = (secret: string) =>
        look(service, 'POST', '/v3/connect/token', {
          key: null,
          body: {
            grant_type: 'client_credentials',
            client_id: a.applicationId,
            client_secret: secret,
            grant_id: a.grantId,
          },
        })
      expect(await token(key)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
      expect(await token(key)).toEqual(await token(`wprk_${randomUUID()}`))
      for (const each of ofAdministrators) {
        const answer = await look(service, each.route.method, fill(each, own), { key, body: bodyOf(each) })
        expect({ route: each.id, status: answer.status }).toEqual({ route: each.id, status: 401 })
      }
    })
  })

  test('"me" finds no grant without an access token', async () => {
    for (const each of ofApplications.filter(({ route }) => paramsOf(route.path).includes('grant_id'))) {
      const body = bodyOf(each)
      const target = fill(each, (_, name) => (name === 'grant_id' ? 'me' : own(each, name)))
      const answer = await look(world.service, each.route.method, target, { key: world.a.key, body })
      expect(answer).toMatchObject({ status: 401, body: { error: { type: 'token.unauthorized_access' } } })
    }
  })

  test('an object of another application in a body is answered like a missing one', async () => {
    const { service, a, b } = world
    const start = Math.ceil(clock.now() / 300_000) * 300
    const span = { start_time: start, end_time: start + 7 * 86_400 }
    const available = (...participants: object[]) => ({
      target: 'POST /v3/calendars/availability',
      body: { ...span, duration_minutes: 30, participants },
    })
    type Attempt = (name: string) => { target: string; body: object }
    const attempts: [string, Attempt, string[]][] = [
      [
        'the credential of an authentication',
        (credential_id) => ({
          target: 'POST /v3/connect/custom',
          body: { provider: 'virtual-calendar', settings: { email: 'wall@alpha.test' }, credential_id },
        }),
        [b.values['credentials.id']],
      ],
      [
        'the active credential of a connector',
        (active_credential_id) => ({ target: 'PATCH /v3/connectors/google', body: { active_credential_id } }),
        [b.values['credentials.id']],
      ],
      [
        'a callback URI that is kept',
        (id) => ({
          target: 'PATCH /v3/applications',
          body: { callback_uris: [{ id, url: 'https://evil.test/callback' }] },
        }),
        [b.values['redirectUris.id']],
      ],
      [
        'the account of a virtual calendar',
        (grant_id) => ({ target: 'POST /v3/calendars', body: { name: 'evil', grant_id } }),
        [b.grantId, b.email, `external:${b.externalId}`, a.deleted.grantId],
      ],
      [
        'somebody whose busy times are asked for',
        (email) => ({ target: `POST /v3/grants/${a.grantId}/calendars/free-busy`, body: { ...span, emails: [email] } }),
        [b.email, b.grantId, b.externalId],
      ],
      ['a participant, by address', (email) => available({ email: a.email }, { email }), [b.email]],
      [
        'a participant, by grant',
        (grant_id) => available({ email: a.email }, { email: 'x@x.test', grant_id }),
        [b.grantId, b.email, `external:${b.externalId}`],
      ],
      [
        'a calendar of a participant',
        (calendar) => available({ email: a.email, calendar_ids: [calendar] }),
        [b.values.calendar_id, a.second.values.calendar_id],
      ],
    ]
    for (const [what, make, foreign] of attempts) {
      /** The response without the requested name, which it may repeat. Nothing else may differ. */
      const answerTo = async (name: string): Promise<string> => {
        const { target, body } = make(name)
        const [method = '', path = ''] = target.split(' ')
        const { status, body: answer } = await look(service, method, path, { key: a.key, body })
        return `${status} ${JSON.stringify(answer).replaceAll(name, '<name>')}`
      }
      const unseen = await answerTo(nowhere)
      for (const name of foreign)
        expect({ what, name, answer: await answerTo(name) }).toEqual({ what, name, answer: unseen })
    }
    const kept = await service.call('GET', '/v3/applications/redirect-uris', { key: a.key })
    expect(kept.body.data).toHaveLength(2)
  })

  test('an external id or address that another application uses is free', async () => {
    const { service, a, b } = world
    const twin = await service.call('POST', '/v3/connect/custom', {
      key: a.key,
      body: { provider: 'virtual-calendar', settings: { email: b.email }, external_id: b.externalId },
    })
    expect(twin.body.data.id).not.toBe(b.grantId)
    for (const locator of [b.email, `external:${b.externalId}`]) {
      const target = `/v3/grants/${encodeURIComponent(locator)}`
      expect((await service.call('GET', target, { key: a.key })).body.data.id).toBe(twin.body.data.id)
      expect((await service.call('GET', target, { key: b.key })).body.data.id).toBe(b.grantId)
    }
    await service.call('DELETE', `/v3/grants/${twin.body.data.id}`, { key: a.key })
  })

  test('an Idempotency-Key of another application returns no stored response', async () => {
    const { service, a, b } = world
    const request = (key: string) =>
      service.call('PATCH', '/v3/connectors/google', {
        key,
        body: { scope: ['openid'] },
        headers: { 'idempotency-key': 'one-and-the-same' },
      })
    const first = await request(b.key)
    const second = await request(a.key)
    expect(second.headers.get('idempotent-response')).toBeNull()
    expect(second.body.data.id).not.toBe(first.body.data.id)
    await service.call('PATCH', '/v3/connectors/google', { key: b.key, body: { scope: [] } })
  })

  test('no attempt reached a provider, and application B is unchanged', async () => {
    // Three grants for each application, and the duplicate that was created on purpose.
    expect(world.authentications()).toBe(7)
    const after = await readB()
    // Cursors are encrypted differently each time.
    const withoutTimes = ({ next_cursor: _, ...value }: Record<string, unknown>) =>
      JSON.parse(JSON.stringify(value).replaceAll(/"updated_at":\d+/g, '"updated_at":0'))
    for (const [target, body] of before) {
      expect({ target, body: withoutTimes(after.get(target) ?? {}) }).toEqual({ target, body: withoutTimes(body) })
    }
  })
})
