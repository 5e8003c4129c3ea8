/**
 * Clients with strict types (Kotlin, Java, Swift) cannot read a response that has null where their type has none. Every
 * nullable field of a response is listed here, with its reason; all others are absent or have a value.
 */
import { contract, routesOf, triggers } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

interface Schema {
  type?: string | string[]
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  $defs?: Record<string, Schema>
}

/** Every response and every object of a notification, by the name of its schema. */
function answers(): Map<string, Schema> {
  const all = new Map<string, Schema>()
  const add = (name: string, type: z.ZodType): void => {
    const { $defs = {}, ...own } = z.toJSONSchema(type, { io: 'output', unrepresentable: 'any' }) as Schema
    all.set(type.meta()?.id ?? name, own)
    for (const [id, schema] of Object.entries($defs)) all.set(id, schema)
  }
  for (const { id, route } of routesOf(contract)) {
    if (route.returns) add(id, route.returns)
    if ('beside' in route && route.beside) add(`${id} beside`, route.beside)
  }
  for (const [name, { object }] of Object.entries(triggers)) add(name, object)
  return all
}

const alternativesOf = (schema: Schema): Schema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(alternativesOf),
]
const mayBeNull = (schema: Schema): boolean =>
  alternativesOf(schema).some(({ type }) => type === 'null' || (Array.isArray(type) && type.includes('null')))

/** The nullable paths of a schema; schemas with their own name are checked under that name. */
function nullsOf(schema: Schema, at: string): string[] {
  return alternativesOf(schema).flatMap(({ properties = {}, items, additionalProperties }) => [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(mayBeNull(field) ? [`${at}.${name}`] : []),
      ...nullsOf(field, `${at}.${name}`),
    ]),
    ...(items ? nullsOf(items, `${at}[]`) : []),
    ...(typeof additionalProperties === 'object' ? nullsOf(additionalProperties, `${at}{}`) : []),
  ])
}

const text = (reason: string, schema: string, names: string): [string, string][] =>
  names.split(' ').map((name) => [`${schema}.${name}`, reason])

const unset = 'a text, time or object that the published models have as nullable: null says that there is none'
const ours = 'of this service alone: no published client has a type for it'
const documented = 'the API: always null for virtual calendars'

const eventFields =
  'title description text_description location organizer organizer.name creator creator.name ical_uid master_event_id reminders capacity color_id created_at updated_at'
const contactFields =
  'given_name middle_name surname suffix nickname birthday company_name job_title manager_name office_location notes emails[].type phone_numbers[].type im_addresses[].type web_pages[].type physical_addresses[].type physical_addresses[].street_address physical_addresses[].city physical_addresses[].state physical_addresses[].postal_code physical_addresses[].country'
const reasonFields = 'invalid_reason.message invalid_reason.reason invalid_reason.request_id'
const grantFields = 'name provider_user_id state ip user_agent credential_id external_id'
const keyFields = 'expires_at expires_in last_used_at rights'

/**
 * Parts of configurations that requests and responses share. Requests may contain null. Responses do not: an unset
 * member is absent or has its default (`scheduling/configurations/complete.test.ts`).
 */
const sharedWithRequests = new Set([
  'AdditionalField',
  'AdditionalGuest',
  'BookingAvailability',
  'BookingHours',
  'BookingReminder',
  'BookingRules',
  'ConfigurationParticipant',
  'EventBooking',
  'GroupBooking',
  'SchedulerSettings',
  'SpecificTime',
])
const isShared = (path: string): boolean =>
  sharedWithRequests.has(path.split(/[.[{]/)[0] ?? '') || path.startsWith('UiSettings.scheduler.')

const argued = new Map<string, string>([
  ...text(unset, 'Event', eventFields),
  ...text(unset, 'EventObject', eventFields),
  ...text(unset, 'GroupEvent', eventFields),
  ...text(ours, 'GroupEventInfo', 'master_id snapshot'),
  ...text(unset, 'When', 'timezone start_timezone end_timezone'),
  ...text(unset, 'Participant', 'name comment phone_number'),
  ...text(unset, 'Resource', 'name capacity building floor_name floor_section floor_number'),
  ...text(
    unset,
    'Conferencing',
    'autocreate.conf_grant_id autocreate.conf_settings details.meeting_code details.password details.pin details.phone',
  ),
  ...text(unset, 'Calendar', 'description location hex_color hex_foreground_color'),
  ...text(documented, 'Calendar', 'read_only'),
  ...text(unset, 'CalendarDeletedObject', 'hex_color hex_foreground_color'),
  ...text(documented, 'CalendarDeletedObject', 'read_only'),
  ...text(unset, 'Contact', contactFields),
  ...text(unset, 'ContactObject', contactFields),
  ...text(unset, 'Attachment', 'filename'),
  ...text(unset, 'Grant', grantFields),
  ...text(unset, 'GrantCreatedObject', 'name'),
  ...text('the published client: null instead of an empty list', 'AssignedGrants', 'grants_assigned grants_removed'),
  ...text(unset, 'Connector', 'active_credential_id'),
  ...text(unset, 'Branding', 'description icon_url website_url'),
  ...text(
    unset,
    'HostedAuthentication',
    'alignment background_color background_image_url color_primary color_secondary privacy_policy_url spacing subtitle terms_of_service_url title',
  ),
  ...text(unset, 'IdpSettings', 'issuers origins'),
  ...text(unset, 'Template', 'app_id grant_id'),
  ...text(unset, 'Workflow', 'grant_id from'),
  ...text(unset, 'BookingInfo', 'additional_fields participants'),
  ...text(unset, 'Configuration', 'slug appearance'),
  ...text(ours, 'SchedulingPage', 'slug appearance'),
  ...text(ours, 'UiSettings', 'slug appearance'),
  ...['Notification', 'KeptNotification', 'StreamedNotification'].map((name): [string, string] => [
    `${name}.data.object`,
    'the contract: message.send_failed may have no object',
  ]),
  ...text(ours, 'Grant', reasonFields),
  ...text(ours, 'AdminGrant', `${grantFields} ${reasonFields} last_used_at`),
  ...text(ours, 'ApiKey', keyFields),
  ...text(ours, 'NewApiKey', keyFields),
  ...text(ours, 'ApplicationSummary', 'grant_limit mail_per_day'),
  ...text(ours, 'FailedJob', 'grant_id'),
  ...text(ours, 'AuditEntry', 'address application_id target grant_id person_id person_name'),
  ...text(ours, 'ConnectorTest', 'redirect_uri'),
  ...text(ours, 'Approval', 'decided_at decided_by draft_id grant_id reason result'),
  ...text(ours, 'CredentialRequest', 'error grant_id tool'),
  ...text(ours, 'Delivery', 'next_attempt_at'),
  ...text(ours, 'DeliveryAttempt', 'answer error grant_id notification_id status type'),
  ...text(ours, 'AttemptDetail', 'answer error grant_id next_attempt_at notification_id request status type'),
  ...text(ours, 'Backlog', 'next_attempt_at'),
  ...text(ours, 'SignatureVerdict', 'age_seconds'),
  ...text(ours, 'NatsChannel', 'stream'),
  ...text(ours, 'SnsChannel', 'role_arn'),
  ...text(ours, 'NotificationDelivery', 'next_attempt_at'),
  ...text(ours, 'GrantActivity', 'errors[].request_id last_used_at watch.next_try_at watch.node_id watch.synced_at'),
  ...text(ours, 'HealthFigures', 'delivery_p50_ms latency_p50_ms latency_p95_ms'),
  ...text(
    ours,
    'ApplicationOverview',
    'destinations[].due_since expired[].message expired[].reason expired[].request_id providers[].last_error providers[].last_error.request_id',
  ),
  ...text(ours, 'ConnectorSetup', 'push redirect_uri simulator.url'),
  ...text(ours, 'ChangedPerson', 'invitation_expires_at signed_in_at'),
  ...text(ours, 'InvitedPerson', 'invitation_expires_at signed_in_at'),
  ...text(ours, 'Agent', 'client_uri last_used_at'),
  ...text(ours, 'KeyCreator', 'name person_id'),
  ...text(ours, 'KeyRights', 'grants messages_per_hour networks recipients'),
  ...text(ours, 'ListedSession', 'address person user_agent'),
  ...text(ours, 'OverviewProblem', 'provider webhook_id'),
  ...text(ours, 'Person', 'invitation_expires_at signed_in_at'),
  ...text(ours, 'NewServiceAccount', 'credential expires_at last_used_at'),
  ...text(ours, 'ServiceAccount', 'expires_at last_used_at'),
  ...text(ours, 'Session', 'person required_action'),
  ...text(ours, 'SignInWays', 'oidc'),
  ...text(ours, 'TimelineEntry', 'calls message notification_id operation reason request_id type'),
  ...text(ours, 'TrafficFigures', 'latency_p50_ms latency_p95_ms'),
])

/**
 * What the models of the published Kotlin client never take null for; behind the bar, what they cannot do without.
 * `read_only` of calendars is theirs too, where the API decides otherwise.
 */
const strict: Record<string, string> = {
  Event:
    'id grant_id object when busy calendar_id hide_participants participants read_only visibility recurrence resources | id',
  Participant: 'email status |',
  Resource: 'email | email',
  EmailName: 'email | email',
  Reminders: 'use_default overrides | use_default',
  Calendar: 'id grant_id name object timezone is_owned_by_user is_primary metadata |',
  Message: 'id grant_id object from to cc bcc reply_to folders attachments headers metadata | grant_id',
  SentMessage: 'grant_id object | grant_id',
  Draft: 'id grant_id object date | id grant_id date',
  Thread: 'id grant_id object | id grant_id',
  Folder: 'id grant_id object |',
  Header: 'name value | name value',
  Contact:
    'id grant_id object display_name source emails phone_numbers im_addresses physical_addresses web_pages groups |',
  ContactGroup: 'id object group_type | id',
  Grant: 'id provider created_at scope grant_status | id provider created_at',
  Webhook:
    'id webhook_url trigger_types status status_updated_at created_at updated_at | id webhook_url trigger_types status status_updated_at created_at updated_at',
  WebhookWithSecret: 'webhook_secret | webhook_secret id webhook_url trigger_types status',
  IpAddresses: 'ip_addresses updated_at | ip_addresses updated_at',
  Connector: 'provider settings | provider settings',
  Credential: 'id name | id name',
  Application:
    'application_id organization_id region environment branding | application_id organization_id region environment branding',
  Branding: 'name | name',
  RedirectUri: 'id url platform | id url platform',
  ScheduledMessage: 'schedule_id status | schedule_id status',
}

describe('answers to clients with strict types', () => {
  const all = answers()

  test('every nullable field is listed with its reason', () => {
    const found = [...all].flatMap(([name, schema]) => nullsOf(schema, name)).filter((path) => !isShared(path))
    expect([...new Set(found)].toSorted()).toEqual([...argued.keys()].toSorted())
  })

  test.each(Object.entries(strict))('%s has a value where the published Kotlin models require one', (name, fields) => {
    const schema = all.get(name)
    expect(schema).toBeDefined()
    const [never = '', needed = ''] = fields.split('|').map((part) => part.trim())
    const isNullable = (field: string): boolean => mayBeNull(schema?.properties?.[field] ?? { type: 'null' })
    expect(never.split(' ').filter((field) => field !== '' && isNullable(field))).toEqual([])
    expect(needed.split(' ').filter((field) => field !== '' && !schema?.required?.includes(field))).toEqual([])
  })
})
