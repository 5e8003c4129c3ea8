/**
 * What each route that changes something does outside the account. A route that is missing here does not compile, so none
 * can be forgotten. Pure.
 */
import type { Contract, Waypost } from '@waypost/contract'

/**
 * - `nothing`: changes only the account or the application itself, and can be undone.
 * - `permanent`: deletes something for good.
 * - the others have rules of their own in this folder.
 */
export type EffectRule =
  | 'nothing'
  | 'permanent'
  | 'message'
  | 'draft'
  | 'draft writing'
  | 'message deletion'
  | 'event'
  | 'event change'
  | 'event deletion'
  | 'answer'
  | 'calendar deletion'
  | 'mailed text'
  | 'booking page'
  | 'booking session'
  | 'group event'
  | 'booking'
  | 'booking change'

type ChangingIds<C extends Contract> = {
  [R in keyof C & string]: {
    [O in keyof C[R] & string]: C[R][O]['audience'] extends 'application' | 'grant' | 'guest'
      ? C[R][O]['method'] extends 'GET'
        ? never
        : `${R}.${O}`
      : never
  }[keyof C[R] & string]
}[keyof C & string]

export type ChangingId = ChangingIds<Waypost>

export const effectRules = {
  'messages.send': 'message',
  'messages.update': 'nothing',
  'messages.delete': 'message deletion',
  'messages.clean': 'nothing',
  'schedules.delete': 'nothing',
  'drafts.create': 'draft writing',
  'drafts.update': 'draft writing',
  'drafts.delete': 'permanent',
  'drafts.send': 'draft',
  'threads.update': 'nothing',
  // Messages of a thread are moved to the trash, never deleted.
  'threads.delete': 'nothing',
  'folders.create': 'nothing',
  'folders.update': 'nothing',
  'folders.delete': 'permanent',
  // Nobody receives an upload before a message refers to it.
  'attachmentUploads.create': 'nothing',
  'attachmentUploads.complete': 'nothing',
  // The service mails these texts to people whom nobody knows yet.
  'signatures.create': 'mailed text',
  'signatures.update': 'mailed text',
  'signatures.delete': 'permanent',

  'calendars.create': 'nothing',
  'calendars.update': 'nothing',
  'calendars.freeBusy': 'nothing',
  'calendars.delete': 'calendar deletion',
  'virtualCalendars.create': 'nothing',
  'events.create': 'event',
  'events.update': 'event change',
  'events.delete': 'event deletion',
  'events.rsvp': 'answer',
  'availability.find': 'nothing',

  'contactGroups.create': 'nothing',
  'contactGroups.update': 'nothing',
  'contactGroups.delete': 'permanent',
  'contacts.create': 'nothing',
  'contacts.update': 'nothing',
  'contacts.delete': 'permanent',

  // Strangers can open a booking page, and its texts reach them.
  'configurations.create': 'booking page',
  'configurations.update': 'booking page',
  'configurations.delete': 'permanent',
  // A session books at a private page without a key, so that nobody judges its bookings.
  'schedulingSessions.create': 'booking session',
  'schedulingSessions.delete': 'nothing',
  'groupEvents.create': 'group event',
  'groupEvents.update': 'group event',
  'groupEvents.delete': 'group event',
  'groupEvents.importForGrant': 'group event',
  'groupEvents.import': 'group event',
  'groupEvents.validateTimeslot': 'nothing',
  'bookings.create': 'booking',
  'bookings.reschedule': 'booking change',
  'bookings.confirm': 'booking change',
  'bookings.cancel': 'booking change',

  'templates.create': 'mailed text',
  'templates.renderBody': 'nothing',
  'templates.update': 'mailed text',
  'templates.delete': 'permanent',
  'templates.render': 'nothing',
  'grantTemplates.create': 'mailed text',
  'grantTemplates.renderBody': 'nothing',
  'grantTemplates.update': 'mailed text',
  'grantTemplates.delete': 'permanent',
  'grantTemplates.render': 'nothing',
  'workflows.create': 'mailed text',
  'workflows.update': 'mailed text',
  'workflows.delete': 'permanent',
  'grantWorkflows.create': 'mailed text',
  'grantWorkflows.update': 'mailed text',
  'grantWorkflows.delete': 'permanent',

  'webhooks.create': 'nothing',
  'webhooks.mockPayload': 'nothing',
  'webhooks.sendTestEvent': 'nothing',
  'webhooks.rotateSecret': 'nothing',
  'webhooks.putRotateSecret': 'nothing',
  'webhooks.verifySignature': 'nothing',
  'webhooks.update': 'nothing',
  'webhooks.delete': 'permanent',
  'pubsubChannels.create': 'nothing',
  'pubsubChannels.update': 'nothing',
  'pubsubChannels.delete': 'permanent',
  'snsChannels.create': 'nothing',
  'snsChannels.update': 'nothing',
  'snsChannels.delete': 'permanent',
  'natsChannels.create': 'nothing',
  'natsChannels.update': 'nothing',
  'natsChannels.delete': 'permanent',
  'amqpChannels.create': 'nothing',
  'amqpChannels.update': 'nothing',
  'amqpChannels.delete': 'permanent',
  'deliveries.replay': 'nothing',
  'deliveries.deliverNow': 'nothing',
  'deliveries.deliverAllNow': 'nothing',

  'applications.update': 'nothing',
  'redirectUris.create': 'nothing',
  'redirectUris.update': 'nothing',
  'redirectUris.delete': 'permanent',
  'connectors.create': 'nothing',
  'connectors.update': 'nothing',
  'connectors.delete': 'permanent',
  'connectors.test': 'nothing',
  'credentials.create': 'nothing',
  'credentials.update': 'nothing',
  'credentials.delete': 'permanent',
  'providers.detect': 'nothing',
  'connect.custom': 'nothing',
  'grants.update': 'nothing',
  'grants.delete': 'permanent',
  'workspaces.create': 'nothing',
  'workspaces.autoGroup': 'nothing',
  'workspaces.update': 'nothing',
  'workspaces.delete': 'permanent',
  'workspaces.manualAssign': 'nothing',

  // No restricted credential changes agents or decides about approvals.
  'agents.update': 'nothing',
  'agents.delete': 'nothing',
  'approvals.approve': 'nothing',
  'approvals.reject': 'nothing',
  'approvals.draft': 'nothing',
} as const satisfies Record<ChangingId, EffectRule>

const isChanging = (id: string): id is ChangingId => Object.hasOwn(effectRules, id)

/** The rule of a route; `nothing` for routes that only read. */
export const effectRuleOf = (id: string): EffectRule => (isChanging(id) ? effectRules[id] : 'nothing')
