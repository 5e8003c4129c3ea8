/**
 * Access rights of administrators. Every route that accepts administrator credentials has a class here, and one
 * function judges all of them. Routes without a class are for owners. Pure.
 */
import type { Contract, NamedRoute, ReachedApplications, Rights, Role, Waypost } from '@waypost/contract'

/**
 * - `account`: the caller's own account.
 * - `owners`: people, and the settings of the installation.
 * - `service`: the whole service, for people with access to all applications.
 * - `listing`: a list over applications, filtered to those the person can access.
 * - `application`: one application.
 * - `customers`: customer data of one application.
 */
export type RouteClass = 'account' | 'owners' | 'service' | 'listing' | 'application' | 'customers'

/** The operations of a resource that accept administrator credentials. Those of grants are classified by `classOf`. */
type Classed<C extends Contract, R extends keyof C> = {
  [O in keyof C[R] & string]: C[R][O]['audience'] extends 'administrator' | 'application' | 'guest' ? O : never
}[keyof C[R] & string]

/** Every resource with such operations has one class, or one for each of them. */
type Classes<C extends Contract> = {
  readonly [R in keyof C as [Classed<C, R>] extends [never] ? never : R]:
    | RouteClass
    | { readonly [O in Classed<C, R>]: RouteClass }
}

const classes: Classes<Waypost> = {
  account: 'account',
  session: 'account',

  people: 'owners',
  serviceAccounts: 'owners',
  installation: 'owners',

  health: 'service',
  audit: 'listing',

  adminApplications: {
    list: 'listing',
    create: 'service',
    get: 'application',
    update: 'application',
    countApprovals: 'application',
  },
  usage: { list: 'listing', get: 'application' },
  failedJobs: { list: 'listing', retryAll: 'application', retry: 'application', discard: 'application' },

  apiKeys: 'application',
  adminGrants: 'application',
  overview: 'application',
  connectorSetup: 'application',
  applications: 'application',
  redirectUris: 'application',
  connectors: 'application',
  credentials: 'application',
  providers: 'application',
  connect: 'application',
  grants: 'application',
  workspaces: 'application',
  templates: 'application',
  workflows: 'application',
  schedulingPages: 'application',
  schedulingSessions: 'application',
  schedulingRedirects: 'application',
  webhooks: 'application',
  pubsubChannels: 'application',
  snsChannels: 'application',
  natsChannels: 'application',
  amqpChannels: 'application',
  agents: 'application',
  deliveries: {
    list: 'application',
    attempts: 'application',
    backlog: 'application',
    replay: 'application',
    deliverNow: 'application',
    deliverAllNow: 'application',
    // It returns the payload of a notification.
    attempt: 'customers',
  },

  approvals: 'customers',
  availability: 'customers',
  bookings: 'customers',
  uiSettings: 'customers',
  groupEvents: 'customers',
  schedulingAvailability: 'customers',
  virtualCalendars: 'customers',
  notifications: 'customers',
}

const classesByName: Readonly<Record<string, RouteClass | Readonly<Record<string, RouteClass>>>> = classes

/** Routes under a grant that contain only the application's own texts. */
const ownResources: ReadonlySet<string> = new Set(['configurations', 'grantTemplates', 'grantWorkflows'])

/** The class of a route. Undefined if it accepts no administrators or has no class. */
export function classOf({ resource, operation, route }: NamedRoute): RouteClass | undefined {
  if (route.audience === 'grant') return ownResources.has(resource) ? 'application' : 'customers'
  if (route.audience === 'public' || route.audience === 'client') return undefined
  const found = Object.hasOwn(classesByName, resource) ? classesByName[resource] : undefined
  if (typeof found !== 'object') return found
  return Object.hasOwn(found, operation) ? found[operation] : undefined
}

/** Whether a route reads or changes customer data. */
export const isCustomerData = (named: NamedRoute): boolean => classOf(named) === 'customers'

/** The facts about a person that determine their rights. */
export interface RightsHolder {
  role: Role
  applications: ReachedApplications
}

/** The rights of a person. The installation password and one-time links have those of an owner. */
export function rightsOf(person: RightsHolder | null, { customerData }: { customerData: boolean }): Rights {
  const { role, applications } = person ?? { role: 'owner', applications: 'all' }
  return { role, applications, customer_data: customerData && role !== 'viewer' }
}

/** Whether a person can access an application. Others do not exist for them. */
export const reaches = ({ applications }: Pick<Rights, 'applications'>, id: string): boolean =>
  applications === 'all' || applications.includes(id)

export type Judgement = 'allowed' | 'refused' | 'no such application'

/** Whether a person may call a route about an application. */
export function judge(
  rights: Pick<Rights, 'role' | 'applications'>,
  named: NamedRoute,
  applicationId: string | undefined,
): Judgement {
  const { role, applications } = rights
  const routeClass = classOf(named)
  const allowedIf = (may: boolean): Judgement => (may ? 'allowed' : 'refused')
  const reads = named.route.method === 'GET'
  switch (routeClass) {
    case 'account':
    case 'listing':
      return 'allowed'
    case 'service':
      return allowedIf(applications === 'all' && (reads || role !== 'viewer'))
    case 'application':
    case 'customers':
      if (applicationId === undefined || !reaches(rights, applicationId)) return 'no such application'
      return allowedIf(role !== 'viewer' || (reads && routeClass === 'application'))
    default:
      return allowedIf(role === 'owner')
  }
}
