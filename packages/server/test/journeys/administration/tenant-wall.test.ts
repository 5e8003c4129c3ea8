/**
 * The isolation between applications, over every route of the contract. To the key of application A, an object of
 * application B is indistinguishable from one that does not exist. The matrix comes from `routesOf(contract)`, so it
 * includes new routes. A parameter without a value in `world.ts` fails the first test, which says what to add.
 */
import { randomUUID } from 'node:crypto'
import { contract, KeyOperation, methodsOf, type NamedRoute, paramsOf, routesOf } from '@waypost/contract'
import { enginesFor } from '@waypost/testing/engines'
import { isFull } from '@waypost/testing/level'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Answer, type CallOptions, openService, type TestService } from '../../harness.ts'
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
  // The second grant has the pair of the first one elsewhere in its document.
  const metadata = [{ team: 'one' }, { team: 'two', 'not "team"': '"team":"one"', note: 'one' }]
  for (const [index, { grantId }] of [a, a.second].entries()) {
    await service.call('PATCH', `/v3/grants/${grantId}`, { key: a.key, body: { metadata: metadata[index] } })
  }
  return {
    ...{ service, a, b, revokedKey: revoked.api_key, expiredKey: expired.api_key, authentications },
    ...{ token: await tokenOf(a.grantId), otherToken: await tokenOf(a.second.grantId) },
  }
}

/** A PostgreSQL that others use shows the stream late: waits until it has the last notification of B. */
async function settled({ service, b }: World): Promise<void> {
  const last = async () => (await service.call('GET', '/v3/notifications?limit=200', { key: b.key })).body.data.at(-1)
  await vi.waitFor(async () => expect(await last()).toMatchObject({ type: 'grant.deleted' }))
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
  /** A response without the parts that differ from request to request. */
  async function poll(method: string, target: string, options: CallOptions): Promise<Seen> {
    const { status, headers, body } = await world.service.call(method, target, options)
    const { request_id: _, ...rest } = body
    return { status, headers: Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id')), body: rest }
  }

  type Choose = (each: NamedRoute, name: string) => string
  const own: Choose = (each, name) => valueIn(world.a, each, name)
  const theirs: Choose = (each, name) => valueIn(world.b, each, name)
  const nothing: Choose = (each, name) => entryOf(nothings, each, name) ?? nowhere
  /** The values of A, but for some parameters. */
  const but =
    (values: Record<string, string>): Choose =>
    (each, name) =>
      values[name] ?? own(each, name)
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

  /** A request of a route, with the least body that the route accepts. */
  const ask = (each: NamedRoute, choose: Choose, options: CallOptions, query: Record<string, string> = {}) =>
    poll(each.route.method, fill(each, choose, query), { body: bodyOf(each), ...options })

  /** Everything that B, and the administrator of B, can read. */
  async function readB(): Promise<Map<string, Record<string, unknown>>> {
    const seen = new Map<string, Record<string, unknown>>()
    for (const each of readable) {
      const target = fill(each, theirs)
      const options = each.route.audience === 'administrator' ? { admin: true } : { key: world.b.key }
      const { status, body } = await poll('GET', target, options)
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
   * Every place is tried with the first foreign value and a rotating third of the others. In `check:full`, A itself tries
   * all of them on SQLite.
   */
  let turn = 0
  const isThorough = isFull && engine === 'sqlite'
  const some = <T>(list: readonly T[], all = isThorough): readonly T[] => {
    turn++
    return all ? list : list.filter((_, index) => index === 0 || (index + turn) % 3 === 0)
  }

  const restricted = new Map<string, Promise<string>>()
  /** A restricted key of A. Nothing needs approval, so that requests are answered like those of the whole key. */
  const keyWith = (rights: object): Promise<string> => {
    const create = async (): Promise<string> => {
      const body = { name: 'restricted', rights: { approval: [], ...rights } }
      const path = `/v3/admin/applications/${world.a.applicationId}/api-keys`
      const answer = await world.service.call('POST', path, { admin: true, body })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body.data.api_key
    }
    const wanted = JSON.stringify(rights)
    const key = restricted.get(wanted) ?? create()
    restricted.set(wanted, key)
    return key
  }
  /** A key that may do everything that is possible with some grants. */
  const limitedTo = (grants: object): Promise<string> => keyWith({ operations: someGrants, grants })
  /** The two ways to limit a key to the first grant of A, or to the second. */
  const limits = async (team: 'one' | 'two' = 'one'): Promise<[string, string]> => [
    await limitedTo({ ids: [team === 'one' ? world.a.grantId : world.a.second.grantId] }),
    await limitedTo({ metadata: { team } }),
  ]
  /** The administrator, acting for A. */
  const administratorForA = (): CallOptions => ({
    ...{ admin: true, headers: { 'x-waypost-application': world.a.applicationId } },
  })
  const callersWith = (keys: readonly string[]): CallOptions[] => keys.map((key) => ({ key }))

  /** Every way to refer to a grant of A other than the first one, and to grants that A does not have. */
  const notFirst = (): [string, string][] => {
    const { second, deleted } = world.a
    const [upper, mail] = [second.grantId.toUpperCase(), `email:${second.email.toUpperCase()}`]
    const ofSecond = [
      second.grantId,
      upper,
      `grant:${second.grantId}`,
      second.email,
      mail,
      `external:${second.externalId}`,
    ]
    return [...ofSecond, deleted.grantId, world.b.grantId, world.b.email].map((value) => [value, value])
  }

  /** Routes, callers, and places where every value must be answered like one that refers to nothing. */
  interface Wall {
    title: string
    routes: readonly NamedRoute[]
    callers(): CallOptions[] | Promise<CallOptions[]>
    /** Default: all. */
    places?(each: NamedRoute): string[]
    /** Default: what is foreign to A. */
    values?(each: NamedRoute, name: string): [what: string, value: string][]
    status: number | ((each: NamedRoute) => number)
    type?: string
  }
  const grantPlace = () => ['grant_id']
  const walls: readonly Wall[] = [
    {
      title: '%s does not find objects of another application',
      routes: ofApplications,
      callers: () => [{ key: world.a.key }, administratorForA()],
      status: 404,
    },
    {
      title: '%s is closed, whatever the request refers to',
      routes: ofAdministrators,
      callers: () => [{ key: world.a.key }],
      status: 401,
    },
    {
      title: '%s treats an object of another application as missing, even from the administrator',
      routes: ofAdministrators.filter(({ route }) => paramsOf(route.path).length > 1),
      callers: () => [{ admin: true }],
      places: ({ route }) => paramsOf(route.path).filter((name) => name !== 'application_id'),
      status: 404,
    },
    {
      title: '%s is closed to an access token of another grant, which cannot find out whether the grant exists',
      routes: opened.filter((each) => placesOf(each).includes('grant_id')),
      callers: () => [{ key: world.token }],
      places: grantPlace,
      values: notFirst,
      status: 403,
      type: 'grant.access_denied',
    },
    {
      title: '%s of another grant does not exist for an access token',
      routes: opened,
      callers: () => [{ key: world.token }],
      places: (each) => placesOf(each).filter((name) => name !== 'grant_id'),
      status: 404,
    },
    {
      title: '%s does not find a grant that a restricted key may not use',
      routes: keyed.filter((each) => placesOf(each).includes('grant_id')),
      callers: async () => callersWith(await limits()),
      places: grantPlace,
      values: notFirst,
      status: (each) => (wholeOnly(expectedFor(each)) ? 403 : 404),
    },
    {
      title: '%s does not find what belongs to a grant that a restricted key may not use',
      routes: keyed.filter((each) => ofOtherGrants(each).length > 0),
      callers: async () => callersWith(await limits('two')),
      places: ofOtherGrants,
      values: (each, name) => [['that of the first grant', own(each, name)]],
      status: 404,
    },
  ]

  for (const { title, routes: list, callers, places = placesOf, values = foreignTo, status, type } of walls) {
    test.each(named(list))(title, async (_, each) => {
      const body = bodyOf(each)
      const { path: main, aliases = [] } = each.route
      for (const options of await callers()) {
        for (const template of [main, ...aliases]) {
          for (const method of methodsOf(each.route)) {
            for (const varied of places(each)) {
              const inPath = template.includes(`:${varied}`)
              const seen = (value: string) => {
                const query = { ...queries[each.id], ...(inPath ? {} : { [varied]: value }) }
                const target = `${fillPath(each, template, but({ [varied]: value }))}?${new URLSearchParams(query)}`
                return poll(method, target, { ...options, ...(body === undefined ? {} : { body }) })
              }
              const unseen = await seen(nothing(each, varied))
              expect(unseen.status).toBe(typeof status === 'number' ? status : status(each))
              if (type) expect(unseen.body).toMatchObject({ error: { type } })
              for (const [what, value] of some(values(each, varied), isThorough && !options.admin)) {
                // An invalid query is refused before its object is looked up.
                if (!inPath && value.includes('\0')) continue
                const about = { method, template, varied, what }
                expect({ ...about, ...(await seen(value)) }).toEqual({ ...about, ...unseen })
              }
            }
          }
        }
      }
    })
  }

  /** Routes that are closed to a caller, whose request refers to its own objects. */
  const closed: readonly [title: string, NamedRoute[], () => Promise<CallOptions>, type: string, grant?: string][] = [
    [
      '%s is closed to access tokens',
      behindKeys.filter((each) => !opened.includes(each) && each.route.audience === 'application' && !each.route.token),
      async () => ({ key: world.token }),
      'api.authentication_error',
    ],
    [
      '%s is closed to restricted keys',
      ofAdministrators,
      async () => ({ key: await keyWith({ operations: [...someGrants, 'webhooks', 'administration'] }) }),
      'api.authentication_error',
    ],
    [
      '%s finds no grant "me" without an access token',
      ofApplications.filter(({ route }) => paramsOf(route.path).includes('grant_id')),
      async () => ({ key: world.a.key }),
      'token.unauthorized_access',
      'me',
    ],
  ]
  for (const [title, list, caller, type, grant] of closed) {
    test.each(named(list))(title, async (_, each) => {
      const answer = await ask(each, grant ? but({ grant_id: grant }) : own, await caller())
      expect(answer).toMatchObject({ status: 401, body: { error: { type } } })
    })
  }

  test.each(named(behindKeys))('%s answers a revoked, an expired and an unknown key the same way', async (_, each) => {
    const body = bodyOf(each)
    for (const method of methodsOf(each.route)) {
      const answers = new Set<string>()
      for (const key of [world.revokedKey, world.expiredKey, `${world.a.key}x`, randomUUID()]) {
        for (const choose of some([theirs, own, nothing])) {
          const target = fill(each, choose)
          answers.add(JSON.stringify(await poll(method, target, { key, body })))
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
    for (const options of [{ key: world.a.key }, administratorForA()]) {
      for (const choose of [own, theirs, nothing]) {
        const refused = await poll('GET', target(choose, wrongCursor), options)
        expect(refused.status).toBeGreaterThanOrEqual(400)
        expect(await poll('GET', target(choose, cursor), options)).toEqual(refused)
      }
      expect((await poll('GET', target(own, cursor), options)).status).toBe(400)
    }
    const second = await world.service.call('GET', target(theirs, cursor), { key: world.b.key })
    if (each.route.bytes) expect(second.status).toBe(200)
    else expect(second.body.data).toHaveLength(1)
  })

  test.each(named(lists))('%s never returns a row of another application, with any filter', async (_, each) => {
    const marks = marksOf(world.b)
    const shown = async (further: Record<string, string>, options: CallOptions) =>
      JSON.stringify((await poll('GET', fill(each, own, further), options)).body)
    // The guide describes providers, and the health of a destination is numbers: neither contains data of an
    // application.
    if (each.id !== 'connect.guide' && each.id !== 'webhooks.health') {
      const hint = 'let `furnish` put the name of the application into what it makes'
      expect(marksIn(JSON.stringify(before.get(fill(each, theirs))), marks), hint).not.toEqual([])
      expect(marksIn(await shown({}, { key: world.a.key }), marksOf(world.a)), hint).not.toEqual([])
    }
    const shape = each.route.query?.shape ?? {}
    for (const options of [{ key: world.a.key }, administratorForA()]) {
      const texts = [await shown('limit' in shape ? { limit: '200' } : {}, options)]
      for (const filter of Object.keys(shape).filter((name) => name !== 'page_token')) {
        // A filter that takes no such text refuses them all alike.
        const taken = marks.filter((mark, index) => index === 0 || shape[filter]?.safeParse(mark).success)
        for (const mark of some(taken, isThorough && !options.admin)) {
          texts.push(await shown({ [filter]: mark }, options))
        }
      }
      for (const text of texts) expect(marksIn(text, marks)).toEqual([])
    }
  })

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

  /** A week of five-minute steps from now. */
  const week = () => {
    const start_time = Math.ceil(clock.now() / 300_000) * 300
    return { start_time, end_time: start_time + 7 * 86_400 }
  }
  const busyOf = (key: string, grant: string, emails: string[]) =>
    poll('POST', `/v3/grants/${grant}/calendars/free-busy`, { key, body: { ...week(), emails } })
  const available = (key: string, ...participants: object[]) =>
    poll('POST', '/v3/calendars/availability', { key, body: { ...week(), duration_minutes: 30, participants } })
  /** Addresses of others, and what is answered about them. */
  const othersIn = ({ a: { second }, b }: World): [string[], object[]] => {
    const emails = [second.email, second.email.toUpperCase(), ` ${second.email} `, b.email, 'nobody@x.test']
    return [emails, emails.map((email) => ({ email, object: 'error', error: `no calendar found for ${email}` }))]
  }

  test('an access token can read only the busy times of its own grant', async () => {
    const { a, b, token } = world
    const [emails, errors] = othersIn(world)
    for (const grant of ['me', a.grantId, a.email]) {
      const { body } = await busyOf(token, grant, [a.email, ...emails])
      expect(body.data).toEqual([expect.objectContaining({ object: 'free_busy', email: a.email }), ...errors])
    }
    const own = [{ email: a.email }, { grant_id: a.grantId }, { grant_id: 'me' }, { grant_id: a.email }]
    for (const participant of own) expect(await available(token, participant)).toMatchObject({ status: 200 })
    const unseen = await available(token, { email: 'nobody@x.test' })
    expect(unseen).toMatchObject({ status: 403, body: { error: { type: 'grant.access_denied' } } })
    for (const other of [...notFirst().map(([value]) => value), nowhere]) {
      for (const participant of [{ grant_id: other }, { email: other }, { email: a.email, grant_id: other }]) {
        expect(await available(token, participant)).toEqual(unseen)
      }
    }
    const both = [{ email: a.email }, { email: a.second.email }]
    expect((await available(token, ...both)).status).toBe(403)
    for (const calendar of [a.second.values.calendar_id, a.second.email, b.values.calendar_id]) {
      expect((await available(token, { email: a.email, calendar_ids: [calendar] })).status).toBe(400)
    }
    // The application's own key can query all of its grants.
    expect((await available(a.key, ...both)).status).toBe(200)
  })

  test('an Idempotency-Key of another grant of the application returns no stored response to an access token', async () => {
    const { service, a, token, otherToken } = world
    const body = { ...week(), duration_minutes: 30, participants: [{ grant_id: 'me' }] }
    const requested = async (key: string) => {
      const headers = { 'idempotency-key': 'asked-by-many' }
      const answer = await service.call('POST', '/v3/calendars/availability', { key, body, headers })
      return answer.body.data.time_slots[0].emails
    }
    expect(await requested(otherToken)).toEqual([a.second.email])
    expect(await requested(token)).toEqual([a.email])
  })

  describe('restricted keys', () => {
    test.each(named(keyed))('%s is open to keys with its right, and to no others', async (_, each) => {
      const expected = expectedFor(each)
      // Nothing changes: objects do not exist, and bodies have the wrong form.
      const isInGrant = each.route.audience === 'grant' || each.route.method === 'GET'
      const target = fill(each, (_, name) => (name === 'grant_id' && isInGrant ? own : nothing)(each, name))
      const body = each.route.body ? 'no object' : undefined
      for (const method of methodsOf(each.route)) {
        const seenByAll = await poll(method, target, { key: world.a.key, body })
        // A restricted key sees its own approvals, and these keys have none.
        const whole = each.id === 'approvals.list' ? { ...seenByAll, body: { data: [] } } : seenByAll
        for (const operation of KeyOperation.options) {
          const key = await keyWith({ operations: [operation] })
          const seen = await poll(method, target, { key, body })
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
      const { a } = world
      const target = `/v3/grants/${a.grantId}/messages/${nowhere}`
      const status = async (operation: string, query: string) =>
        (await poll('DELETE', `${target}${query}`, { key: await keyWith({ operations: [operation] }) })).status
      expect(await status('mail.organize', '')).toBe(404)
      expect(await status('mail.organize', '?hard_delete=false')).toBe(404)
      expect(await status('mail.organize', '?hard_delete=true')).toBe(403)
      const allowed = await poll('DELETE', `${target}?hard_delete=true`, {
        key: await keyWith({ operations: ['mail.delete'] }),
      })
      expect(allowed.body).not.toMatchObject({ error: { type: 'api.missing_right' } })
    })

    test.each(named(lists.filter((each) => !wholeOnly(expectedFor(each)))))(
      '%s lists nothing of a grant that the key may not use',
      async (_, each) => {
        const { a } = world
        const { grantId, email, externalId, values } = a.second
        const hidden = [grantId, email, externalId, values.calendar_id ?? '', values.configuration_id ?? '']
        for (const key of await limits()) {
          const shape = each.route.query?.shape ?? {}
          const filters = ['grant_id', 'email', 'search'].filter((name) => name in shape)
          const wide: Record<string, string> = 'limit' in shape ? { limit: '200' } : {}
          for (const further of [
            wide,
            ...filters.map((name) => ({ [name]: a.second.email })),
            ...filters.map((name) => ({ [name]: a.second.grantId })),
          ]) {
            const { body } = await poll('GET', fill(each, own, further), { key })
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
      const { a } = world
      const [emails, errors] = othersIn(world)
      for (const key of await limits()) {
        const { body } = await busyOf(key, a.grantId, [a.email, ...emails])
        expect(body.data).toEqual([expect.objectContaining({ object: 'free_busy', email: a.email }), ...errors])
        expect((await available(key, { email: a.email })).status).toBe(200)
        const missing = await available(key, { grant_id: nowhere })
        expect(missing.status).toBe(400)
        const without = (answer: object, name: string) => JSON.stringify(answer).replaceAll(name, '')
        for (const other of [a.second.grantId, a.second.email, `external:${a.second.externalId}`]) {
          expect(without(await available(key, { grant_id: other }), other)).toEqual(without(missing, nowhere))
        }
        expect((await available(key, { email: a.email }, { email: a.second.email })).status).toBe(400)
      }
    })

    test('a booking page can name as hosts only grants that the key may use, and sessions open only their pages', async () => {
      const { a } = world
      const [key = ''] = await limits()
      const pages = `/v3/grants/${a.grantId}/scheduling/configurations`
      const page = { availability: { duration_minutes: 30 }, event_booking: { title: 'wall' } }
      const hours = { availability: { calendar_ids: ['primary'] }, booking: { calendar_id: 'primary' } }
      const create = (email: string) =>
        poll('POST', pages, { key, body: { ...page, participants: [{ ...hours, email }] } })
      expect((await create(a.email)).status).toBe(200)
      const missing = await create('nobody@x.test')
      expect(missing.status).toBe(400)
      expect(await create(a.second.email)).toEqual(missing)
      const session = (configuration_id: string, by: string) =>
        poll('POST', '/v3/scheduling/sessions', { key: by, body: { configuration_id } })
      expect(await session(a.second.values.configuration_id, key)).toEqual(await session(nowhere, key))
      const theirs = await session(a.second.values.configuration_id, a.key)
      const opened = (theirs.body.data as { session_id: string }).session_id
      for (const method of ['GET', 'DELETE']) {
        const target = (id: string) => `/v3/scheduling/sessions/${id}`
        expect(await poll(method, target(opened), { key })).toEqual(await poll(method, target(nowhere), { key }))
      }
      expect((await poll('GET', `/v3/scheduling/sessions/${opened}`, { key: a.key })).status).toBe(200)
    })

    test('a restricted key is no secret of an OAuth client', async () => {
      const { a } = world
      const key = await keyWith({ operations: [...someGrants, 'webhooks', 'administration'] })
      const client = { grant_type: 'client_credentials', client_id: a.applicationId }
      const token = (secret: string) =>
        poll('POST', '/v3/connect/token', {
          key: null,
          body: { ...client, client_secret: secret, grant_id: a.grantId },
        })
      expect(await token(key)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
      expect(await token(key)).toEqual(await token(`wprk_${randomUUID()}`))
    })
  })

  test('an object of another application in a body is answered like a missing one', async () => {
    const { service, a, b } = world
    const person = { email: a.email }
    const settings = { email: 'wall@alpha.test' }
    const grantsOfB = [b.grantId, b.email, `external:${b.externalId}`]
    const participants = (...list: object[]) => ({ ...week(), duration_minutes: 30, participants: list })
    const attempts: [request: string, make: (name: string) => object, foreign: (string | undefined)[]][] = [
      [
        'POST /v3/connect/custom',
        (credential_id) => ({ provider: 'virtual-calendar', settings, credential_id }),
        [b.values['credentials.id']],
      ],
      [
        'PATCH /v3/connectors/google',
        (active_credential_id) => ({ active_credential_id }),
        [b.values['credentials.id']],
      ],
      [
        'PATCH /v3/applications',
        (id) => ({ callback_uris: [{ id, url: 'https://evil.test/callback' }] }),
        [b.values['redirectUris.id']],
      ],
      ['POST /v3/calendars', (grant_id) => ({ name: 'evil', grant_id }), [...grantsOfB, a.deleted.grantId]],
      [
        `POST /v3/grants/${a.grantId}/calendars/free-busy`,
        (email) => ({ ...week(), emails: [email] }),
        [b.email, b.grantId, b.externalId],
      ],
      ['POST /v3/calendars/availability', (email) => participants(person, { email }), [b.email]],
      [
        'POST /v3/calendars/availability',
        (grant_id) => participants(person, { email: 'x@x.test', grant_id }),
        grantsOfB,
      ],
      [
        'POST /v3/calendars/availability',
        (calendar) => participants({ ...person, calendar_ids: [calendar] }),
        [b.values.calendar_id, a.second.values.calendar_id],
      ],
    ]
    for (const [request, make, foreign] of attempts) {
      const [method = '', path = ''] = request.split(' ')
      /** The response without the requested name, which it may repeat. Nothing else may differ. */
      const answerTo = async (name: string): Promise<string> => {
        const { status, body } = await poll(method, path, { key: a.key, body: make(name) })
        return `${status} ${JSON.stringify(body).replaceAll(name, '<name>')}`
      }
      const unseen = await answerTo(nowhere)
      for (const name of foreign) {
        expect({ request, name, answer: await answerTo(String(name)) }).toEqual({ request, name, answer: unseen })
      }
    }
    const retained = await service.call('GET', '/v3/applications/redirect-uris', { key: a.key })
    expect(retained.body.data).toHaveLength(2)
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
