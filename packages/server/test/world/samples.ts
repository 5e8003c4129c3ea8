/**
 * Bodies and queries of requests that the service accepts, by operation. The sweeps over all routes send them, whole or
 * with one part changed. In a text that begins with a colon, such as `:template_id`, a request has the value of its tenant
 * (`world.ts`).
 */
import { bodyObject, type NamedRoute, takesList } from '@waypost/contract'
import { z } from 'zod'
import { wholeContact } from '../conformance/contacts-subject.ts'
import { channelDrafts } from '../webhooks/stored-channel.ts'
import type { Tenant } from './world.ts'

/** Queries that a route requires. */
export const queries: Record<string, Record<string, string>> = {
  'providers.detect': { email: 'a@gmail.com' },
  'webhooks.readMockPayload': { trigger_type: 'event.created' },
  'uiSettings.get': { slug: 'page' },
  'schedulingAvailability.find': { slug: 'page', start_time: '1', end_time: '2' },
  'bookings.create': { slug: 'page' },
  'events.list': { calendar_id: 'primary' },
  'events.import': { calendar_id: 'primary' },
  'events.export': { calendar_id: 'primary' },
  'events.create': { calendar_id: 'primary' },
  'attachments.get': { message_id: 'everywhere' },
  'attachments.download': { message_id: 'everywhere' },
}

export const keyRights = {
  ...{ operations: ['mail.read'], grants: { metadata: { team: 'one' } }, recipients: ['example.com'] },
  ...{ messages_per_hour: 10, networks: ['203.0.113.0/24'], approval: ['send'], elicitation: false },
}

const redirectUri = {
  url: 'https://app.test/other',
  platform: 'js',
  settings: {
    ...{ origin: 'https://app.test', bundle_id: 'bundle', app_store_id: 'store', team_id: 'team' },
    ...{ package_name: 'package', sha1_certificate_fingerprint: 'ab:cd' },
  },
}
const connector = {
  name: 'Connector',
  settings: { client_id: 'id', client_secret: 'secret', topic_name: 'topic', project_id: 'project' },
  ...{ scope: ['one'], scopes: ['one'], active_credential_id: null },
}

const destination = {
  ...{ description: 'Description', trigger_types: ['event.created'] },
  ...{ notification_email_addresses: ['ops@app.test'], compressed_delivery: false },
}

const channels = {
  pubsub: { ...destination, ...channelDrafts.pubsub, encryption_key: '' },
  sns: { ...destination, ...channelDrafts.sns, role_arn: null },
  nats: { ...destination, ...channelDrafts.nats, stream: null, username: null, password: null, credentials: null },
  amqp: { ...destination, ...channelDrafts.amqp },
}

const address = { name: 'Name', email: 'bob@app.test' }
const message = {
  ...{ to: [address], cc: [address], bcc: [address], reply_to: [address], from: [address], subject: 'Subject' },
  ...{ body: '<p>Body</p>', is_plaintext: false, reply_to_message_id: '<a@app.test>' },
  attachments: [
    {
      ...{ filename: 'a.txt', content: 'aGVsbG8=', content_type: 'text/plain', content_id: 'a' },
      content_disposition: 'attachment',
    },
  ],
  custom_headers: [{ name: 'X-Mine', value: 'value' }],
  tracking_options: { opens: true, links: true, thread_replies: true, label: 'label' },
  ...{ metadata: { key: 'value' }, template: null, signature_id: null },
}
const template = { name: 'Template', subject: 'Hi {{name}}', body: '<p>{{name}}</p>', engine: 'mustache' }

const workflow = {
  ...{ name: 'Workflow', template_id: ':template_id', trigger_event: 'booking.created', delay: 5 },
  ...{ is_enabled: true, from: { name: 'Name' } },
}

const openHours = { days: [1], start: '9:00', end: '17:00', timezone: 'UTC', exdates: ['2027-01-01'], ex_dates: [] }
const specificTime = { date: '2027-01-04', start: '09:00', end: '12:00', timezone: 'UTC' }
const configuration = {
  ...{ name: 'Configuration', slug: ':slug', type: '', version: '1.0.0', requires_session_auth: false },
  participants: [
    {
      ...{ email: ':email', name: 'Room', is_organizer: true, timezone: 'UTC', grant_id: '' },
      availability: { calendar_ids: ['primary'], open_hours: [openHours] },
      ...{ booking: { calendar_id: 'primary' }, specific_time_availability: [specificTime] },
      only_specific_time_availability: false,
    },
  ],
  availability: {
    duration_minutes: 30,
    interval_minutes: 30,
    round_to: 15,
    availability_rules: {
      ...{ availability_method: 'collective', buffer: { before: 5, after: 10 } },
      ...{ default_open_hours: [openHours], default_specific_time_availability: [specificTime] },
      ...{ only_specific_time_availability: false, round_robin_group_id: 'group', tentative_as_busy: true },
    },
  },
  event_booking: {
    ...{ title: 'Title', description: 'Description', location: 'Location', timezone: 'UTC' },
    ...{ booking_type: 'booking', conferencing: null, disable_emails: true, hide_participants: false },
    notify_participants: false,
    reminders: [{ type: 'email', minutes_before_event: 10, recipient: 'guest', email_subject: 'Soon' }],
  },
  group_booking: null,
  scheduler: {
    ...{ available_days_in_future: 30, min_booking_notice: 60, min_cancellation_notice: 0 },
    ...{ cancellation_policy: 'Policy', rescheduling_url: 'https://app.test/move/:booking_ref' },
    cancellation_url: 'https://app.test/cancel/:booking_ref',
    organizer_confirmation_url: 'https://app.test/confirm/:booking_ref',
    ...{ confirmation_redirect_url: 'https://app.test/done', hide_rescheduling_options: false },
    ...{ hide_cancellation_options: false, hide_additional_guests: false },
    additional_fields: {
      color: { label: 'Color', type: 'dropdown', required: true, options: ['red'], order: 1, pattern: '[a-z]+' },
    },
    email_template: {
      ...{ logo: 'https://app.test/logo.png', show_nylas_branding: false, organizer_locale: 'en' },
      booking_confirmed: { title: 'Title', body: 'Body' },
    },
    notetaker_settings: { enabled: false },
  },
  appearance: { color: '#123456' },
  embed_origins: ['https://app.test'],
}

/** An hour in a week. */
const groupTime = () => {
  const start_time = Math.floor(Date.now() / 3_600_000) * 3600 + 7 * 86_400
  return { start_time, end_time: start_time + 3600 }
}
const groupHost = { email: ':email', name: 'Room', is_organizer: true, timezone: 'UTC' }
const groupEvent = {
  ...{ title: 'Group', when: groupTime(), calendar_id: 'primary', capacity: 5, participants: [groupHost] },
  ...{ description: 'Description', location: 'Location', busy: true, recurrence: null, conferencing: null },
  reminders: [{ type: 'email', minutes_before_event: 10, recipient: 'guest', email_subject: 'Soon' }],
}
const groupImport = {
  ...{ calendar_id: 'primary', event_id: 'none', capacity: 5, exceptions: [{ event_id: 'none', capacity: 2 }] },
  participants: [groupHost],
}

const { from: _f, reply_to_message_id: _r, custom_headers: _c, signature_id: _s, ...changeable } = message

const contact = {
  ...wholeContact,
  ...{ groups: [{ id: 'friends' }], picture: 'aGVsbG8=', picture_url: 'https://app.test/picture' },
  ...{ display_name: 'Ada', source: 'address_book' },
}

type Json = Record<string, unknown>

/** The same bodies for templates, workflows and so on of an application and of a grant. */
const forBoth = (one: string, other: string, operations: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(
    [one, other].flatMap((resource) => Object.entries(operations).map(([name, body]) => [`${resource}.${name}`, body])),
  )

/**
 * A body for each route that requires one. It has every field, unless `accountBodies` has it: those have what is required
 * and one field that would leave a trace.
 */
export const bodies: Record<string, Json> = {
  'approvals.reject': { reason: 'Reason' },
  'applications.update': {
    branding: {
      ...{ name: 'Name', icon_url: 'https://app.test/icon.png', website_url: 'https://app.test' },
      description: 'Description',
    },
    hosted_authentication: {
      ...{ background_image_url: 'https://app.test/image.png', alignment: 'left', color_primary: '#123456' },
      ...{ color_secondary: '#123456', title: 'Title', subtitle: 'Subtitle', background_color: '#123456' },
      ...{ spacing: 4, terms_of_service_url: 'https://app.test/terms' },
      privacy_policy_url: 'https://app.test/privacy',
    },
    idp_settings: { origins: 'https://app.test', issuers: 'https://issuer.test' },
    callback_uris: [{ url: 'https://app.test/third', platform: 'web', settings: { origin: 'https://app.test' } }],
    ...{ domain: 'app.test', expand_recurring_default: true, allow_hard_delete: true, mcp_enabled: true },
    ...{ notification_stream: true, notification_days: 7 },
    additional_settings: {
      ...{ login_url: 'https://app.test/in', logout_url: 'https://app.test/out' },
      ...{ refresh_token_expiration_absolute: 1, refresh_token_expiration_idle: 1, rotate_refresh_token: true },
      allow_query_param_in_redirect_uri: false,
    },
  },
  'redirectUris.create': redirectUri,
  'redirectUris.update': { ...redirectUri, url: 'https://app.test/changed' },
  'connectors.create': { provider: 'yahoo', ...connector },
  'connectors.update': connector,
  'credentials.create': {
    name: 'Credential',
    credential_type: 'connector',
    credential_data: { client_id: 'id', client_secret: 'secret' },
  },
  'credentials.update': { name: 'first', credential_data: { client_id: 'id', client_secret: 'secret' } },
  'connect.custom': {
    ...{ provider: 'virtual-calendar', settings: { email: 'new@virtual.test' }, scope: ['one'] },
    ...{ state: 'state', credential_id: null, external_id: 'external', workspace_id: null },
  },
  'grants.update': {
    ...{ metadata: { key: 'value' }, settings: { email: ':email' }, scope: ['one'], external_id: 'other' },
    workspace_id: ':workspace_id',
  },
  'workspaces.create': { name: 'Workspace', domain: 'new.test', auto_group: true, policy_id: null, rule_ids: [] },
  'workspaces.update': { name: 'Changed', domain: null, auto_group: null, policy_id: null, rule_ids: null },
  'workspaces.autoGroup': { after_created_at: 1, invalid_also: true, specific_domain: 'acme.test' },
  'workspaces.manualAssign': { assign_grants: ['grant'], remove_grants: ['other'] },
  'attachmentUploads.create': { filename: 'file.bin', content_type: 'application/octet-stream', size: 1_000 },
  'signatures.create': { name: 'Signature', body: '<p>Ada</p>' },
  'signatures.update': { name: 'Signature', body: '<p>Ada</p>' },
  ...forBoth('templates', 'grantTemplates', {
    ...{ create: template, update: template, render: { variables: { name: 'Ada' }, strict: false } },
    renderBody: { body: template.body, engine: 'mustache', variables: { name: 'Ada' }, strict: false },
  }),
  ...forBoth('workflows', 'grantWorkflows', { create: workflow, update: workflow }),
  'agents.update': { name: 'Assistant', rights: { operations: ['mail.read'] } },
  'configurations.create': { ...configuration, slug: null },
  'configurations.update': configuration,
  'schedulingSessions.create': { slug: 'page', configuration_id: null, time_to_live: 5 },
  'webhooks.create': { ...destination, webhook_url: ':webhook_url' },
  'webhooks.update': { ...destination, webhook_url: ':webhook_url', status: 'active' },
  ...Object.fromEntries(
    Object.entries(channels).flatMap(([transport, channel]) => [
      [`${transport}Channels.create`, channel],
      [`${transport}Channels.update`, { ...channel, status: 'pause' }],
    ]),
  ),
  'webhooks.mockPayload': { trigger_type: 'event.created' },
  'adminApplications.create': { name: 'Application', environment: 'staging' },
  'adminApplications.update': { mail_per_day: 100, blocked: false },
  'apiKeys.create': { name: 'Key', expires_in: 1, rights: keyRights },
  'apiKeys.update': { name: 'Renamed', rights: keyRights },
  'adminGrants.update': { blocked: false },
}

/** The same for routes of accounts, and for routes whose other fields are made from the contract (`bodyOf`). */
const accountBodies: Record<string, Json> = {
  'groupEvents.create': groupEvent,
  'groupEvents.update': groupEvent,
  'groupEvents.import': groupImport,
  'groupEvents.importForGrant': groupImport,
  'groupEvents.validateTimeslot': {
    ...{ calendar_id: 'primary', event_id: 'none', master_id: null, start_time: 1, end_time: 2, capacity: 1 },
    emails: [':email'],
  },
  'contacts.create': contact,
  'contacts.update': contact,
  'contactGroups.create': { name: 'Friends', path: 'friends' },
  'contactGroups.update': { name: 'Friends', path: 'friends' },
  'messages.send': { ...message, send_at: null, use_draft: false },
  'drafts.create': { ...message, send_at: null, use_draft: false, starred: true },
  'drafts.update': { ...changeable, send_at: null, use_draft: false, starred: true, unread: false },
  'calendars.create': { name: 'Changed' },
  'calendars.update': { name: 'Changed' },
  'calendars.freeBusy': { start_time: 1_800_000_000, end_time: 1_800_003_600, emails: ['changed@app.test'] },
  'virtualCalendars.create': { name: 'Changed' },
  'events.create': { title: 'Changed', when: { time: 1_800_000_000 } },
  'events.update': { title: 'Changed' },
  'events.rsvp': { status: 'yes' },
  'messages.clean': { message_id: ['everywhere'] },
  'messages.update': { starred: true, metadata: { key: 'changed' } },
  'threads.update': { starred: true },
  'folders.create': { name: 'Changed' },
  'folders.update': { name: 'Changed' },
  'bookings.create': {
    ...{ start_time: 1_900_000_000, end_time: 1_900_001_800 },
    guest: { email: 'changed@app.test', name: 'Changed' },
  },
  'bookings.reschedule': { start_time: 1_900_000_000, end_time: 1_900_001_800 },
  'bookings.confirm': { status: 'confirmed', salt: 'changed' },
  'bookings.cancel': { cancellation_reason: 'Changed' },
  'webhooks.verifySignature': { headers: {}, body: 'changed' },
  'deliveries.replay': { start: 1 },
  'adminGrants.complete': { code: 'changed', redirect_uri: 'https://evil.test/callback' },
}

/** Some value of a JSON schema: of the right kind, not necessarily one that is taken. */
function sampleOf(schema: Json, defs: Record<string, Json>): unknown {
  const sample = (part: unknown): unknown => sampleOf((part ?? {}) as Json, defs)
  if (typeof schema.$ref === 'string') return sample(defs[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)])
  const [choice] = (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) as Json[]
  if (choice) return sample(choice)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.type === 'array') return [sample(schema.items)]
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.type === 'boolean') return false
  if (schema.type !== 'object') return 'text'
  const fields = schema.properties ?? { key: schema.additionalProperties }
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, sample(field)]))
}

/** A sample with the values of a tenant in the place of texts such as `:template_id`. */
const fillIn = <T>(sample: T, params: Record<string, string>): T =>
  JSON.parse(JSON.stringify(sample), (_, value) =>
    typeof value === 'string' && value.startsWith(':') ? (params[value.slice(1)] ?? value) : value,
  )

const made = new WeakMap<object, Json>()
/** An object with every field of a schema. */
function everyField(object: z.ZodObject): Json {
  const known = made.get(object)
  if (known) return known
  const fields = Object.entries(object.shape).map(([name, field]) => {
    const schema: Json = z.toJSONSchema(field as z.ZodType, { io: 'input', unrepresentable: 'any' })
    return [name, sampleOf(schema, (schema.$defs ?? {}) as Record<string, Json>)]
  })
  const sample = Object.fromEntries(fields)
  made.set(object, sample)
  return sample
}

const filled = new WeakMap<Tenant, Map<string, Json>>()

/** The body of a route with every field: the one of the tables, or one that the service may refuse. */
export function bodyOf(named: NamedRoute, tenant?: Tenant): Json | Json[] | undefined {
  const { id, route } = named
  const object = bodyObject(route)
  const sample = bodies[id] ?? accountBodies[id]
  if (!object) return sample
  const isWhole = sample && Object.keys(object.shape).every((name) => name in sample)
  let body = isWhole ? sample : everyField(object)
  if (tenant) {
    const known = filled.get(tenant) ?? new Map<string, Json>()
    filled.set(tenant, known)
    body = known.get(id) ?? fillIn(body, tenant.params(named))
    known.set(id, body)
  }
  return takesList(route) ? [body] : body
}

/** The least body that a route accepts: the fields that it requires, or else its first field. */
export function leastBodyOf(named: NamedRoute, tenant: Tenant): Json | Json[] | undefined {
  const object = bodyObject(named.route)
  if (!object) return undefined
  const sample = fillIn(bodies[named.id] ?? accountBodies[named.id] ?? {}, tenant.params(named))
  const required = Object.keys(sample).filter((name) => !object.shape[name]?.safeParse(undefined).success)
  const names = required.length > 0 ? required : Object.keys(sample).slice(0, 1)
  const least = Object.fromEntries(names.map((name) => [name, sample[name]]))
  return takesList(named.route) ? [least] : least
}
