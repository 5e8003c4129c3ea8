import type { Waypost } from '@waypost/contract'
import type { Operations } from '../../providers/operations.ts'
import type { Services } from '../../services.ts'
import type { HandlersOf } from '../context.ts'
import { adminApplications, adminGrants, apiKeys, usage } from './administration.ts'
import { applications } from './applications.ts'
import { availability } from './availability.ts'
import { calendars, virtualCalendars } from './calendars.ts'
import { connect } from './connect.ts'
import { connectors } from './connectors.ts'
import { credentials } from './credentials.ts'
import { deliveries } from './deliveries.ts'
import { events } from './events.ts'
import { grants } from './grants.ts'
import { notifications } from './notifications.ts'
import { providers } from './providers.ts'
import { redirectUris } from './redirect-uris.ts'
import { service } from './service.ts'
import { webhooks } from './webhooks.ts'

export type Handlers = HandlersOf<Waypost, Operations<never>>

/** Every handler of the contract. */
export const createHandlers = (services: Services): Handlers => ({
  applications: applications(services),
  redirectUris: redirectUris(services),
  connectors: connectors(services),
  credentials: credentials(services),
  providers: providers(services),
  connect: connect(services),
  grants: grants(services),
  calendars,
  virtualCalendars: virtualCalendars(services),
  events,
  availability: availability(services),
  webhooks: webhooks(services),
  deliveries: deliveries(services),
  notifications: notifications(services),
  adminApplications: adminApplications(services),
  apiKeys: apiKeys(services),
  adminGrants: adminGrants(services),
  usage: usage(services),
  service: service(services),
})
