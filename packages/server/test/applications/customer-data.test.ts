/** Which routes are about what is a customer's own. */
import { contract, routesOf } from '@waypost/contract'
import { expect, test } from 'vitest'
import { isCustomerData } from '../../src/applications/customer-data.ts'

const all = [
  'availability',
  'calendars',
  'events',
  'roomResources',
  'virtualCalendars',
  'schedules',
  'messages',
  'drafts',
  'threads',
  'folders',
  'attachments',
  'contactGroups',
  'contacts',
  'signatures',
  'notifications',
]
const none = [
  'applications',
  'redirectUris',
  'connectors',
  'credentials',
  'providers',
  'connect',
  'grants',
  'templates',
  'grantTemplates',
  'webhooks',
  'deliveries',
  'adminApplications',
  'apiKeys',
  'adminGrants',
  'overview',
  'connectorSetup',
  'invitations',
  'account',
  'people',
  'installation',
  'usage',
  'session',
  'audit',
  'health',
  'service',
]

/** What shows the payload of a notification, among routes that tell of deliveries alone. */
const alone = new Set(['deliveries.attempt'])

test.each(routesOf(contract).map((named) => [named.id, named] as const))('%s is told apart', (_, named) => {
  expect([...all, ...none], `say in this test whether ${named.resource} is a customer's own`).toContain(named.resource)
  expect(isCustomerData(named)).toBe(all.includes(named.resource) || alone.has(named.id))
})
