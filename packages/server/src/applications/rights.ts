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

type Ids<C extends Contract, A> = {
  [R in keyof C & string]: {
    [O in keyof C[R] & string]: C[R][O]['audience'] extends A ? `${R}.${O}` : never
  }[keyof C[R] & string]
}[keyof C & string]

/** Each route with administrators has a line, so that a new one is classified. Those of grants are classified by `classOf`. */
type ClassedId = Ids<Waypost, 'administrator' | 'application' | 'guest'>

const classes = {
  'account.get': 'account',
  'account.update': 'account',
  'account.beginTotp': 'account',
  'account.confirmTotp': 'account',
  'account.removeTotp': 'account',
  'account.renewRecoveryCodes': 'account',
  'session.get': 'account',
  'session.delete': 'account',
  'session.list': 'account',
  'session.end': 'account',
  'session.deleteAll': 'account',
  'session.password': 'account',

  'people.list': 'owners',
  'people.create': 'owners',
  'people.get': 'owners',
  'people.update': 'owners',
  'people.delete': 'owners',
  'people.keys': 'owners',
  'people.revokeKeys': 'owners',
  'people.invite': 'owners',
  'people.removeTotp': 'owners',
  'serviceAccounts.list': 'owners',
  'serviceAccounts.create': 'owners',
  'serviceAccounts.get': 'owners',
  'serviceAccounts.update': 'owners',
  'serviceAccounts.delete': 'owners',
  'installation.get': 'owners',
  'installation.update': 'owners',

  'adminApplications.create': 'service',
  'health.get': 'service',
  'health.series': 'service',

  'adminApplications.list': 'listing',
  'usage.list': 'listing',
  'audit.list': 'listing',
  'failedJobs.list': 'listing',

  'adminApplications.get': 'application',
  'adminApplications.update': 'application',
  'adminApplications.countApprovals': 'application',
  'apiKeys.list': 'application',
  'apiKeys.create': 'application',
  'apiKeys.get': 'application',
  'apiKeys.update': 'application',
  'apiKeys.delete': 'application',
  'apiKeys.requests': 'application',
  'adminGrants.list': 'application',
  'adminGrants.count': 'application',
  'adminGrants.complete': 'application',
  'adminGrants.activity': 'application',
  'adminGrants.timeline': 'application',
  'adminGrants.update': 'application',
  'adminGrants.revoke': 'application',
  'failedJobs.retryAll': 'application',
  'failedJobs.retry': 'application',
  'failedJobs.discard': 'application',
  'overview.get': 'application',
  'connectorSetup.get': 'application',
  'connectorSetup.simulate': 'application',
  'usage.get': 'application',
  'applications.get': 'application',
  'applications.update': 'application',
  'redirectUris.list': 'application',
  'redirectUris.create': 'application',
  'redirectUris.get': 'application',
  'redirectUris.update': 'application',
  'redirectUris.delete': 'application',
  'connectors.list': 'application',
  'connectors.create': 'application',
  'connectors.get': 'application',
  'connectors.update': 'application',
  'connectors.delete': 'application',
  'connectors.test': 'application',
  'credentials.list': 'application',
  'credentials.create': 'application',
  'credentials.get': 'application',
  'credentials.update': 'application',
  'credentials.delete': 'application',
  'providers.detect': 'application',
  'connect.guide': 'application',
  'connect.custom': 'application',
  'grants.list': 'application',
  'grants.get': 'application',
  'grants.update': 'application',
  'grants.delete': 'application',
  'workspaces.list': 'application',
  'workspaces.create': 'application',
  'workspaces.autoGroup': 'application',
  'workspaces.get': 'application',
  'workspaces.update': 'application',
  'workspaces.delete': 'application',
  'workspaces.manualAssign': 'application',
  'templates.list': 'application',
  'templates.create': 'application',
  'templates.renderBody': 'application',
  'templates.get': 'application',
  'templates.update': 'application',
  'templates.delete': 'application',
  'templates.render': 'application',
  'workflows.list': 'application',
  'workflows.create': 'application',
  'workflows.get': 'application',
  'workflows.update': 'application',
  'workflows.delete': 'application',
  'schedulingPages.list': 'application',
  'schedulingSessions.create': 'application',
  'schedulingSessions.get': 'application',
  'schedulingSessions.delete': 'application',
  'schedulingRedirects.find': 'application',
  'webhooks.list': 'application',
  'webhooks.create': 'application',
  'webhooks.mockPayload': 'application',
  'webhooks.readMockPayload': 'application',
  'webhooks.sendTestEvent': 'application',
  'webhooks.ipAddresses': 'application',
  'webhooks.verifySignature': 'application',
  'webhooks.rotateSecret': 'application',
  'webhooks.putRotateSecret': 'application',
  'webhooks.get': 'application',
  'webhooks.health': 'application',
  'webhooks.update': 'application',
  'webhooks.delete': 'application',
  'pubsubChannels.list': 'application',
  'pubsubChannels.create': 'application',
  'pubsubChannels.get': 'application',
  'pubsubChannels.update': 'application',
  'pubsubChannels.delete': 'application',
  'snsChannels.list': 'application',
  'snsChannels.create': 'application',
  'snsChannels.get': 'application',
  'snsChannels.update': 'application',
  'snsChannels.delete': 'application',
  'natsChannels.list': 'application',
  'natsChannels.create': 'application',
  'natsChannels.get': 'application',
  'natsChannels.update': 'application',
  'natsChannels.delete': 'application',
  'amqpChannels.list': 'application',
  'amqpChannels.create': 'application',
  'amqpChannels.get': 'application',
  'amqpChannels.update': 'application',
  'amqpChannels.delete': 'application',
  'deliveries.list': 'application',
  'deliveries.attempts': 'application',
  'deliveries.backlog': 'application',
  'deliveries.replay': 'application',
  'deliveries.deliverNow': 'application',
  'deliveries.deliverAllNow': 'application',
  'agents.list': 'application',
  'agents.get': 'application',
  'agents.update': 'application',
  'agents.delete': 'application',
  'agents.requests': 'application',

  'approvals.list': 'customers',
  'approvals.get': 'customers',
  'approvals.approve': 'customers',
  'approvals.reject': 'customers',
  'approvals.draft': 'customers',
  'availability.find': 'customers',
  'bookings.list': 'customers',
  'bookings.create': 'customers',
  'bookings.get': 'customers',
  'bookings.reschedule': 'customers',
  'bookings.confirm': 'customers',
  'bookings.cancel': 'customers',
  'uiSettings.get': 'customers',
  'groupEvents.import': 'customers',
  'groupEvents.validateTimeslot': 'customers',
  'schedulingAvailability.find': 'customers',
  'virtualCalendars.create': 'customers',
  'notifications.list': 'customers',
  'notifications.get': 'customers',
  'deliveries.attempt': 'customers',
} as const satisfies Record<ClassedId, RouteClass>

/** Routes under a grant that contain only the application's own texts. */
const ownResources: ReadonlySet<string> = new Set(['configurations', 'grantTemplates', 'grantWorkflows'])

/** The class of a route. Undefined if it accepts no administrators or has no class. */
export function classOf({ id, resource, route }: NamedRoute): RouteClass | undefined {
  if (route.audience === 'grant') return ownResources.has(resource) ? 'application' : 'customers'
  return Object.hasOwn(classes, id) ? classes[id as ClassedId] : undefined
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
