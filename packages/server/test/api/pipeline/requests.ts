/** One good request for every route of the contract, hostile texts to spoil it with, and what every answer must be. */
import { bodyObject, type Contract, contract, methodsOf, type NamedRoute, routesOf, takesList } from '@waypost/contract'
import { expect } from 'vitest'
import { z } from 'zod'
import { logAttempts } from '../../../src/store/tables/notifications/delivery-results.ts'
import { getNotification } from '../../../src/store/tables/notifications/notification-stream.ts'
import { storeApproval } from '../../agents/approval-setup.ts'
import { storeAgent } from '../../agents/stored-agent.ts'
import { wholeContact } from '../../conformance/contacts-subject.ts'
import type { Answer, TestService } from '../../harness.ts'
import { openListener } from '../../listener.ts'
import { recordFailedJob } from '../../outbox/failed-job-setup.ts'
import { channelDrafts, storeChannel } from '../../webhooks/stored-channel.ts'

export const routes: readonly NamedRoute[] = routesOf(contract as Contract)
export const routeOf = (id: string): NamedRoute => {
  const found = routes.find((named) => named.id === id)
  if (!found) throw new Error(`no route ${id}`)
  return found
}

/** What stands in a service so that the requests below find something. */
export interface World {
  applicationId: string
  key: string
  grantId: string
  /** The path parameters that name what stands there. */
  params(named: NamedRoute): Record<string, string>
}

const uri = '/v3/applications/redirect-uris'

const keyRights = {
  operations: ['mail.read'],
  grants: { metadata: { team: 'one' } },
  recipients: ['example.com'],
  messages_per_hour: 10,
  networks: ['203.0.113.0/24'],
  approval: ['send'],
  elicitation: false,
}

// It listens as long as the tests run: requests that name it shall find it.
const listener = await openListener()
listener.unref()

/** An application without limits, with one object of every kind. */
export async function furnish(service: TestService): Promise<World> {
  const { id: applicationId, key } = await service.createApplication('Requests')
  const made = async (path: string, body: unknown, admin = false): Promise<string> => {
    const answer = await service.call('POST', path, { key, admin, body })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data.id
  }
  const grant = await service.createGrant('room@virtual.test', key)
  await made('/v3/connectors', { provider: 'google', settings: { client_id: 'id', client_secret: 'secret' } })
  const credential = await made('/v3/connectors/google/creds', {
    name: 'first',
    credential_type: 'connector',
    credential_data: { client_id: 'id', client_secret: 'secret' },
  })
  const redirect = await made(uri, {
    url: 'https://app.test/back',
    platform: 'js',
    settings: { origin: 'https://app.test' },
  })
  const workspace = await service.call('POST', '/v3/workspaces', { key, body: { name: 'first', domain: 'first.test' } })
  const { workspace_id } = workspace.body.data
  Object.assign(grantChange, { workspace_id })
  const webhook = await made('/v3/webhooks', { trigger_types: ['event.created'], webhook_url: `${listener.url}/first` })
  const spareKey = await made(
    `/v3/admin/applications/${applicationId}/api-keys`,
    { name: 'spare', rights: keyRights },
    true,
  )
  const signature = await made(`/v3/grants/${grant.id}/signatures`, { name: 'first', body: 'Text' })
  const ownTemplate = await made('/v3/templates', template)
  const grantTemplate = await made(`/v3/grants/${grant.id}/templates`, template)
  // The bodies name templates that exist here.
  Object.assign(workflow, { template_id: ownTemplate })
  Object.assign(grantWorkflow, { template_id: grantTemplate })
  const page = `/v3/grants/${grant.id}/scheduling/configurations`
  const ownConfiguration = await made(page, { ...configuration, slug: 'furnished' })
  const session = await service.call('POST', '/v3/scheduling/sessions', { key, body: { slug: 'furnished' } })
  const groupConfiguration = await made(page, {
    name: 'Group',
    type: 'group',
    group_booking: { calendar_id: 'primary' },
  })
  for (const id of ['uiSettings.get', 'schedulingAvailability.find']) {
    Object.assign(queries[id] ?? {}, { configuration_id: ownConfiguration })
  }
  const booking = await bookingOf(service, { key, grantId: grant.id })
  const agent = await storeAgent(service, { applicationId, grantIds: [grant.id] })
  // One for each decision.
  const approvals: Record<string, string> = {}
  for (const decision of ['approve', 'reject', 'draft', 'get']) {
    approvals[decision] = (await storeApproval(service, { applicationId, grantId: grant.id })).id
  }
  const ownWorkflow = await made('/v3/workflows', workflow)
  const workflowOfGrant = await made(`/v3/grants/${grant.id}/workflows`, grantWorkflow)
  // Of the grant; waited for, because a PostgreSQL that others use shows it late.
  const told = await service.call('GET', '/v3/notifications?limit=1&wait=30', { key })
  const notification = told.body.data[0].id
  const { database, clock } = service.services
  const stored = await getNotification(database, applicationId, notification)
  await logAttempts(database, database.engine, applicationId, [
    {
      webhookId: webhook,
      notification: stored?.position ?? 0,
      attempt: 1,
      at: clock.now(),
      latencyMs: 1,
      status: 500,
      error: null,
      sealedAnswer: null,
    },
  ])
  // Two, because a job that is retried is no longer failed.
  for (const job of ['failed-job', 'another-failed-job']) await recordFailedJob(service, { id: job, applicationId })
  const ids: Record<string, string> = {
    failedJobs: 'failed-job',
    'failedJobs.discard': 'another-failed-job',
    redirectUris: redirect,
    credentials: credential,
    webhooks: webhook,
    deliveries: webhook,
    notifications: notification,
    apiKeys: spareKey,
  }
  for (const transport of ['pubsub', 'sns', 'nats', 'amqp'] as const) {
    ids[`${transport}Channels`] = await storeChannel(service, { applicationId, transport })
  }
  const common = { application_id: applicationId, grant_id: grant.id, provider: 'google' }
  return {
    applicationId,
    key,
    grantId: grant.id,
    params: ({ id, resource, operation }) => ({
      ...common,
      id: ids[id] ?? ids[resource] ?? 'none',
      channel_id: ids[resource] ?? 'none',
      notification_id: notification,
      signature_id: signature,
      upload_id: 'none',
      template_id: resource === 'templates' ? ownTemplate : grantTemplate,
      configuration_id: resource === 'groupEvents' ? groupConfiguration : ownConfiguration,
      booking_id: booking,
      approval_id: approvals[operation] ?? '',
      ...(resource === 'schedulingSessions' ? { session_id: session.body.data.session_id } : {}),
      agent_id: agent.id,
      workflow_id: resource === 'workflows' ? ownWorkflow : workflowOfGrant,
      workspace_id,
    }),
  }
}

/** A booking of a page that is always open. */
async function bookingOf(service: TestService, { key, grantId }: { key: string; grantId: string }): Promise<string> {
  const call = async (path: string, body: object) => {
    const answer = await service.call('POST', path, { key, body })
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const { id: calendar } = await call(`/v3/grants/${grantId}/calendars`, { name: 'Booked' })
  const page = await call(`/v3/grants/${grantId}/scheduling/configurations`, {
    participants: [
      {
        ...{ email: 'room@virtual.test', is_organizer: true },
        ...{ availability: { calendar_ids: [calendar] }, booking: { calendar_id: calendar } },
      },
    ],
    availability: { duration_minutes: 30 },
    event_booking: { title: 'Title', booking_type: 'organizer-confirmation' },
  })
  const start_time = (Math.floor(service.services.clock.now() / 86_400_000) + 2) * 86_400
  const made = await call(`/v3/scheduling/bookings?configuration_id=${page.id}`, {
    ...{ start_time, end_time: start_time + 1_800, guest: { email: 'guest@app.test', name: 'Guest' } },
  })
  return made.booking_id
}

/** The path of a route with its parameters written as given; the caller encodes. */
export const pathOf = (named: NamedRoute, params: Record<string, string> = {}): string =>
  named.route.path.replace(/:([a-z_]+)/g, (_, name) => params[name] ?? 'missing')

const redirectUri = {
  url: 'https://app.test/other',
  platform: 'js',
  settings: {
    origin: 'https://app.test',
    bundle_id: 'bundle',
    app_store_id: 'store',
    team_id: 'team',
    package_name: 'package',
    sha1_certificate_fingerprint: 'ab:cd',
  },
}
const connector = {
  name: 'Connector',
  settings: { client_id: 'id', client_secret: 'secret', topic_name: 'topic', project_id: 'project' },
  scope: ['one'],
  scopes: ['one'],
  active_credential_id: null,
}

const destination = {
  trigger_types: ['event.created'],
  description: 'Description',
  notification_email_addresses: ['ops@app.test'],
  compressed_delivery: false,
}

const channels = {
  pubsub: { ...channelDrafts.pubsub, ...destination, encryption_key: '' },
  sns: { ...channelDrafts.sns, ...destination, role_arn: null },
  nats: { ...channelDrafts.nats, ...destination, stream: null, username: null, password: null, credentials: null },
  amqp: { ...channelDrafts.amqp, ...destination },
}

const address = { name: 'Name', email: 'bob@app.test' }
const message = {
  to: [address],
  cc: [address],
  bcc: [address],
  reply_to: [address],
  from: [address],
  subject: 'Subject',
  body: '<p>Body</p>',
  is_plaintext: false,
  reply_to_message_id: '<a@app.test>',
  attachments: [
    {
      filename: 'a.txt',
      content: 'aGVsbG8=',
      content_type: 'text/plain',
      content_id: 'a',
      content_disposition: 'attachment',
    },
  ],
  custom_headers: [{ name: 'X-Mine', value: 'value' }],
  tracking_options: { opens: true, links: true, thread_replies: true, label: 'label' },
  metadata: { key: 'value' },
  template: null,
  signature_id: null,
}
const template = { name: 'Template', subject: 'Hi {{name}}', body: '<p>{{name}}</p>', engine: 'mustache' }

const grantChange = {
  settings: { email: 'room@virtual.test' },
  scope: ['one'],
  metadata: { key: 'value' },
  external_id: 'other',
  workspace_id: 'none',
}
const workflow = {
  name: 'Workflow',
  template_id: 'none',
  trigger_event: 'booking.created',
  delay: 5,
  is_enabled: true,
  from: { name: 'Name' },
}
const grantWorkflow = { ...workflow }

const openHours = { days: [1], start: '9:00', end: '17:00', timezone: 'UTC', exdates: ['2027-01-01'], ex_dates: [] }
const specificTime = { date: '2027-01-04', start: '09:00', end: '12:00', timezone: 'UTC' }
const configuration = {
  name: 'Configuration',
  slug: 'page',
  type: '',
  version: '1.0.0',
  requires_session_auth: false,
  participants: [
    {
      email: 'room@virtual.test',
      name: 'Room',
      is_organizer: true,
      timezone: 'UTC',
      grant_id: '',
      availability: { calendar_ids: ['primary'], open_hours: [openHours] },
      booking: { calendar_id: 'primary' },
      specific_time_availability: [specificTime],
      only_specific_time_availability: false,
    },
  ],
  availability: {
    duration_minutes: 30,
    interval_minutes: 30,
    round_to: 15,
    availability_rules: {
      availability_method: 'collective',
      buffer: { before: 5, after: 10 },
      default_open_hours: [openHours],
      default_specific_time_availability: [specificTime],
      only_specific_time_availability: false,
      round_robin_group_id: 'group',
      tentative_as_busy: true,
    },
  },
  event_booking: {
    title: 'Title',
    description: 'Description',
    location: 'Location',
    timezone: 'UTC',
    booking_type: 'booking',
    conferencing: null,
    disable_emails: true,
    hide_participants: false,
    notify_participants: false,
    reminders: [{ type: 'email', minutes_before_event: 10, recipient: 'guest', email_subject: 'Soon' }],
  },
  group_booking: null,
  scheduler: {
    available_days_in_future: 30,
    min_booking_notice: 60,
    min_cancellation_notice: 0,
    cancellation_policy: 'Policy',
    rescheduling_url: 'https://app.test/move/:booking_ref',
    cancellation_url: 'https://app.test/cancel/:booking_ref',
    organizer_confirmation_url: 'https://app.test/confirm/:booking_ref',
    confirmation_redirect_url: 'https://app.test/done',
    hide_rescheduling_options: false,
    hide_cancellation_options: false,
    hide_additional_guests: false,
    additional_fields: {
      color: { label: 'Color', type: 'dropdown', required: true, options: ['red'], order: 1, pattern: '[a-z]+' },
    },
    email_template: {
      logo: 'https://app.test/logo.png',
      show_nylas_branding: false,
      organizer_locale: 'en',
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
const groupHost = { email: 'room@virtual.test', name: 'Room', is_organizer: true, timezone: 'UTC' }
const groupEvent = {
  title: 'Group',
  when: groupTime(),
  calendar_id: 'primary',
  capacity: 5,
  participants: [groupHost],
  description: 'Description',
  location: 'Location',
  busy: true,
  recurrence: null,
  conferencing: null,
  reminders: [{ type: 'email', minutes_before_event: 10, recipient: 'guest', email_subject: 'Soon' }],
}
const groupImport = {
  calendar_id: 'primary',
  event_id: 'none',
  capacity: 5,
  exceptions: [{ event_id: 'none', capacity: 2 }],
  participants: [groupHost],
}

/** A body with every field for each route that takes one. */
export const bodies: Record<string, Record<string, unknown>> = {
  'approvals.reject': { reason: 'Reason' },
  'applications.update': {
    branding: {
      name: 'Name',
      icon_url: 'https://app.test/icon.png',
      website_url: 'https://app.test',
      description: 'Description',
    },
    hosted_authentication: {
      background_image_url: 'https://app.test/image.png',
      alignment: 'left',
      color_primary: '#123456',
      color_secondary: '#123456',
      title: 'Title',
      subtitle: 'Subtitle',
      background_color: '#123456',
      spacing: 4,
      terms_of_service_url: 'https://app.test/terms',
      privacy_policy_url: 'https://app.test/privacy',
    },
    idp_settings: { origins: 'https://app.test', issuers: 'https://issuer.test' },
    callback_uris: [{ url: 'https://app.test/third', platform: 'web', settings: { origin: 'https://app.test' } }],
    domain: 'app.test',
    expand_recurring_default: true,
    allow_hard_delete: true,
    mcp_enabled: true,
    notification_stream: true,
    notification_days: 7,
    additional_settings: {
      login_url: 'https://app.test/in',
      logout_url: 'https://app.test/out',
      refresh_token_expiration_absolute: 1,
      refresh_token_expiration_idle: 1,
      rotate_refresh_token: true,
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
    provider: 'virtual-calendar',
    settings: { email: 'new@virtual.test' },
    scope: ['one'],
    state: 'state',
    credential_id: null,
    external_id: 'external',
    workspace_id: null,
  },
  'grants.update': grantChange,
  'workspaces.create': { name: 'Workspace', domain: 'new.test', auto_group: true, policy_id: null, rule_ids: [] },
  'workspaces.update': { name: 'Changed', domain: null, auto_group: null, policy_id: null, rule_ids: null },
  'workspaces.autoGroup': { after_created_at: 1, invalid_also: true, specific_domain: 'acme.test' },
  'workspaces.manualAssign': { assign_grants: ['grant'], remove_grants: ['other'] },
  'attachmentUploads.create': { filename: 'file.bin', content_type: 'application/octet-stream', size: 1_000 },
  'signatures.create': { name: 'Signature', body: '<p>Ada</p>' },
  'signatures.update': { name: 'Signature', body: '<p>Ada</p>' },
  'templates.create': template,
  'templates.update': template,
  'templates.render': { variables: { name: 'Ada' }, strict: false },
  'templates.renderBody': { body: template.body, engine: 'mustache', variables: { name: 'Ada' }, strict: false },
  'grantTemplates.create': template,
  'grantTemplates.update': template,
  'grantTemplates.render': { variables: { name: 'Ada' }, strict: false },
  'grantTemplates.renderBody': { body: template.body, engine: 'mustache', variables: { name: 'Ada' }, strict: false },
  'agents.update': { name: 'Assistant', rights: { operations: ['mail.read'] } },
  'workflows.create': workflow,
  'workflows.update': workflow,
  'grantWorkflows.create': grantWorkflow,
  'grantWorkflows.update': grantWorkflow,
  'configurations.create': { ...configuration, slug: null },
  'configurations.update': configuration,
  'schedulingSessions.create': { configuration_id: null, slug: 'furnished', time_to_live: 5 },
  'webhooks.create': { ...destination, webhook_url: `${listener.url}/created` },
  'webhooks.update': { ...destination, webhook_url: `${listener.url}/first`, status: 'active' },
  'pubsubChannels.create': channels.pubsub,
  'pubsubChannels.update': { ...channels.pubsub, status: 'pause' },
  'snsChannels.create': channels.sns,
  'snsChannels.update': { ...channels.sns, status: 'pause' },
  'natsChannels.create': channels.nats,
  'natsChannels.update': { ...channels.nats, status: 'pause' },
  'amqpChannels.create': channels.amqp,
  'amqpChannels.update': { ...channels.amqp, status: 'pause' },
  'webhooks.mockPayload': { trigger_type: 'event.created' },
  'adminApplications.create': { name: 'Application', environment: 'staging' },
  'adminApplications.update': { blocked: false, mail_per_day: 100 },
  'apiKeys.create': { name: 'Key', expires_in: 1, rights: keyRights },
  'apiKeys.update': { name: 'Renamed', rights: keyRights },
  'adminGrants.update': { blocked: false },
}

type Json = Record<string, unknown>

const { from: _f, reply_to_message_id: _r, custom_headers: _c, signature_id: _s, ...changeable } = message

const contact = {
  ...wholeContact,
  groups: [{ id: 'friends' }],
  picture: 'aGVsbG8=',
  picture_url: 'https://app.test/picture',
  display_name: 'Ada',
  source: 'address_book',
}

/** The same for routes that only an account with mail, contacts or events has. */
const messages: Record<string, Json> = {
  'groupEvents.create': groupEvent,
  'groupEvents.update': groupEvent,
  'groupEvents.import': groupImport,
  'groupEvents.importForGrant': groupImport,
  'groupEvents.validateTimeslot': {
    ...{ calendar_id: 'primary', event_id: 'none', master_id: null, start_time: 1, end_time: 2, capacity: 1 },
    emails: ['room@virtual.test'],
  },
  'contacts.create': contact,
  'contacts.update': contact,
  'contactGroups.create': { name: 'Friends', path: 'friends' },
  'contactGroups.update': { name: 'Friends', path: 'friends' },
  'messages.send': { ...message, send_at: null, use_draft: false },
  'drafts.create': { ...message, send_at: null, use_draft: false, starred: true },
  'drafts.update': { ...changeable, send_at: null, use_draft: false, starred: true, unread: false },
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

const samples = new WeakMap<object, Json | Json[]>()

/** The body of a route: a good one where it stands above, else one that has every field. */
export function bodyOf({ id, route }: NamedRoute): Json | Json[] | undefined {
  const good = bodies[id] ?? messages[id]
  const object = bodyObject(route)
  if (!object || good) return good && takesList(route) ? [good] : good
  const known = samples.get(route)
  if (known) return known
  const fields = Object.entries(object.shape).map(([name, field]) => {
    const schema: Json = z.toJSONSchema(field as z.ZodType, { io: 'input', unrepresentable: 'any' })
    return [name, sampleOf(schema, (schema.$defs ?? {}) as Record<string, Json>)]
  })
  const one = Object.fromEntries(fields)
  const sample = takesList(route) ? [one] : one
  samples.set(route, sample)
  return sample
}

/** Query parameters that a route cannot do without. */
export const queries: Record<string, Record<string, string>> = {
  'providers.detect': { email: 'a@gmail.com' },
  'webhooks.readMockPayload': { trigger_type: 'event.created' },
  'uiSettings.get': { configuration_id: 'none' },
  'schedulingAvailability.find': { configuration_id: 'none', start_time: '1', end_time: '2' },
}

export type Place = readonly (string | number)[]

/** The places of all leaves of a body. */
export function leavesOf(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([name, item]) =>
    leavesOf(item, [...at, Array.isArray(value) ? Number(name) : name]),
  )
}

export const valueAt = (value: unknown, place: Place): unknown =>
  place.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  )

/** A copy of a body in which one place holds another value. */
export function withValue(body: unknown, place: Place, value: unknown): unknown {
  const [step, ...rest] = place
  if (step === undefined) return value
  if (Array.isArray(body)) return body.map((item, index) => (index === step ? withValue(item, rest, value) : item))
  const object = body as Record<string, unknown>
  return { ...object, [step]: withValue(object[step], rest, value) }
}

export const isAdministrators = (named: NamedRoute): boolean => named.route.audience === 'administrator'
export const mainMethod = (named: NamedRoute): string => methodsOf(named.route)[0] ?? 'GET'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What is true of every answer of the API, good or bad. */
export function expectSound(answer: Answer, about = ''): void {
  const requestId = answer.headers.get('x-request-id')
  const seen = { type: answer.headers.get('content-type'), requestId, said: answer.body.request_id }
  expect(seen, about).toEqual({ type: 'application/json', requestId: expect.stringMatching(uuid), said: requestId })
  if (answer.status < 400) return
  // OAuth's own shape, which is flat.
  if (typeof answer.body.error === 'string') {
    const { error_code: code, error_description: description, error_uri: uri } = answer.body
    expect([code, typeof description, typeof uri], about).toEqual([answer.status, 'string', 'string'])
    return
  }
  expect(answer.body, about).toEqual({
    request_id: expect.any(String),
    error: expect.objectContaining({ type: expect.any(String), message: expect.stringMatching(/./s) }),
  })
}

/** Sound, and not our fault. */
export function expectNoFault(answer: Answer, about = ''): void {
  if (answer.status >= 500) throw new Error(`${answer.status} for ${about}: ${JSON.stringify(answer.body)}`)
  expectSound(answer, about)
}

/** Texts that have broken software before: after the Big List of Naughty Strings, by kind. */
export const naughty: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  'undefined',
  'null',
  'NaN',
  'true',
  '-1',
  '0x7fffffff',
  '1e309',
  '9223372036854775808',
  '١٢٣',
  `';-- drop table grants`,
  `' or '1'='1`,
  '$1',
  '%',
  '_%_',
  '%s%n%d',
  '#{7*7}{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '"\\\'`',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://169.254.169.254/latest/meta-data',
  'https://user:pass@app.test/',
  'https://[::1]:99999/',
  'https://app.test\\@evil.test/',
  '| sleep 5 ; $(sleep 5) `sleep 5`',
  '\u0001\u001b[31m\u007f\u0085',
  'line one\nline two\r\n{"level":60}',
  '\u00ad\u200b\u200e\u2028\u2029\ufeff',
  '\u202etest\u202d',
  'Ω≈ç√∫˜µ≤≥÷',
  '社會科學院語學研究所',
  'مُنَاقَشَةُ سُبُلِ',
  'İıßſﬀ',
  'e\u0301 vs é',
  'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇺🇸',
  '\ufdd0\uffff\u{10ffff}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'me',
  'grant:',
  'external:',
  '00000000-0000-0000-0000-000000000000',
  'a,b,,c',
  'a[b]=c&d=e#f',
  '%00%0a%zz',
  'x'.repeat(257),
  '界'.repeat(1025),
]
