/** Which routes return customer data. */
import { contract, routesOf } from '@waypost/contract'
import { expect, test } from 'vitest'
import type { AuditNote } from '../../src/applications/audit.ts'
import { createCustomerData } from '../../src/applications/customer-data.ts'
import { isCustomerData } from '../../src/applications/rights.ts'

const all = [
  'approvals',
  'availability',
  'bookings',
  'uiSettings',
  'groupEvents',
  'schedulingAvailability',
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
  'attachmentUploads',
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
  'workspaces',
  'templates',
  'grantTemplates',
  'workflows',
  'grantWorkflows',
  'configurations',
  'schedulingPages',
  'schedulingSessions',
  'schedulingRedirects',
  'webhooks',
  'pubsubChannels',
  'snsChannels',
  'natsChannels',
  'amqpChannels',
  'deliveries',
  'agents',
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
  'failedJobs',
  'serviceAccounts',
]

/** Routes that return the payload of a notification, among those that return only delivery data. */
const alone = new Set(['deliveries.attempt'])

test.each(routesOf(contract).map((named) => [named.id, named] as const))('%s is classified', (_, named) => {
  expect([...all, ...none], `say in this test whether ${named.resource} is a customer's own`).toContain(named.resource)
  expect(isCustomerData(named)).toBe(all.includes(named.resource) || alone.has(named.id))
})

test('a read concurrent with the audit write of another request waits for it too, and retries if it failed', async () => {
  const { once } = createCustomerData({ isShown: true })
  const writing: PromiseWithResolvers<void>[] = []
  const finish = (): Promise<void> => {
    const entry = Promise.withResolvers<void>()
    writing.push(entry)
    return entry.promise
  }
  const note: AuditNote = {
    kind: 'read',
    keep: async () => undefined,
    made: () => undefined,
    retained: () => undefined,
    finish,
  }
  const read = (): Promise<void> => once(note, { what: 'a message', now: 1000 }).finish(undefined as never, 200)
  const both = Promise.allSettled([read(), read()])
  expect(writing).toHaveLength(1)
  writing[0]?.reject(new Error('the store does not answer'))
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const again = read()
  writing[1]?.resolve()
  await Promise.all([again, read()])
  expect(writing).toHaveLength(2)
})
