/**
 * An application with an object of every kind, for the sweeps over all routes. `tenant.params(route)` has a value for each
 * parameter of a path, and for the texts of `samples.ts` that begin with a colon.
 */
import { randomUUID } from 'node:crypto'
import type { Grant, NamedRoute } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Operations } from '@waypost/providers/operations'
import type { Provider } from '@waypost/providers/provider'
import { providers } from '@waypost/providers/registry'
import { addCredentialRequests } from '@waypost/store/tables/applications/credential-requests'
import { logAttempts } from '@waypost/store/tables/notifications/delivery-results'
import { getNotification } from '@waypost/store/tables/notifications/notification-stream'
import { openListener } from '@waypost/testing/listener'
import type { Sending } from '../../src/sending/sending.ts'
import { answerContext } from '../../src/webhooks/sealed-payloads.ts'
import { storeApproval } from '../agents/approval-setup.ts'
import { storeAgent } from '../agents/stored-agent.ts'
import { type AddressBook, addressBook, contactOf, groupOf } from '../api/pipeline/address-book.ts'
import { createFakeSending } from '../api/pipeline/fake-sending.ts'
import { createMailbox, type Mailbox, mailProvider, messageOf } from '../api/pipeline/mail-provider.ts'
import type { TestService } from '../harness.ts'
import { recordFailedJob } from '../outbox/failed-job-setup.ts'
import { storeChannel } from '../webhooks/stored-channel.ts'
import { keyRights } from './samples.ts'

/**
 * A value for each parameter, by its name. Where it depends on the route, the resource or the operation stands before it:
 * `templates.template_id`, `approvals.reject.approval_id`.
 */
type Values = Record<string, string>

/** A grant and its objects. */
interface Account {
  grantId: string
  email: string
  externalId: string
  values: Values
}

export interface Tenant extends Account {
  name: string
  applicationId: string
  key: string
  /** Another grant of the application, and one that is deleted. They exist in applications with everything twice. */
  second?: Account
  deleted?: { grantId: string; email: string }
  params(named: NamedRoute): Values
}

// It listens as long as the tests run: requests that name it find it.
const listener = await openListener()
listener.unref()

/**
 * Creates an application without limits that has one object of every kind. With `twice`, there are two of everything that
 * is listed, so that every list has a second page, and the name of the application is in every object.
 */
export async function furnish(
  service: TestService,
  { name = 'virtual', twice = false }: { name?: string; twice?: boolean } = {},
): Promise<Tenant> {
  const { id: applicationId, key } = await service.createApplication(name)
  const { database, clock, payloads } = service.services.storage
  const post = async (path: string, body: unknown, admin = false) => {
    const answer = await service.call('POST', path, { key, admin, body })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const titles = twice ? ['first', 'second'] : ['first']
  /** Makes one object, or two, and returns the first. */
  const each = async <T>(make: (title: string) => Promise<T>): Promise<T> => {
    const all: T[] = []
    for (const title of titles) all.push(await make(title))
    return all[0] as T
  }
  const posted = (path: string, bodyOf: (title: string) => object): Promise<string> =>
    each(async (title) => (await post(path, bodyOf(title))).id)
  const connect = (email: string, more: object = {}) =>
    post('/v3/connect/custom', { provider: 'virtual-calendar', settings: { email }, ...more })
  const template = (title: string) => ({ name: `${name} ${title}`, subject: name, body: name })
  const workflow = (template_id: string) => ({
    ...{ name: `${name} workflow`, template_id, trigger_event: 'booking.created' },
  })
  const inDays = (days: number) => (Math.floor(clock.now() / 86_400_000) + days) * 86_400

  /** A grant, and everything that can be stored for it. */
  async function account(user: string, slug: string | null): Promise<Account> {
    const [email, externalId] = [`${user}@${name}.test`, `${name}-${user}`]
    const { id: grantId } = await connect(email, { external_id: externalId, state: `${name}-state` })
    const at = `/v3/grants/${grantId}`
    const calendar_id = await posted(`${at}/calendars`, (title) => ({ name: `${name} ${title}` }))
    const events: string[] = []
    for (const start_time of [inDays(4), inDays(4) + 3_600]) {
      const event = { title: `${name} event`, when: { start_time, end_time: start_time + 1_800 } }
      events.push((await post(`${at}/events?calendar_id=${calendar_id}`, event)).id)
    }
    const pages = `${at}/scheduling/configurations`
    const host = { email, availability: { calendar_ids: ['primary'] }, booking: { calendar_id: 'primary' } }
    const page = { participants: [host], availability: { duration_minutes: 30 }, event_booking: { title: name } }
    const configuration_id = await posted(pages, (title) => ({
      ...{ ...page, name: `${name} page`, slug: title === 'first' ? slug : null },
    }))
    const group = await post(pages, { name: `${name} courses`, type: 'group', group_booking: { calendar_id } })
    await post(
      `${pages}/${group.id}/import-group-events`,
      events.map((event_id) => ({ calendar_id, event_id })),
    )
    const template_id = await posted(`${at}/templates`, template)
    // These need a mailbox.
    const message = { to: [{ email: 'x@x.test' }], subject: name, send_at: inDays(3) }
    const sent = await each(() => service.call('POST', `${at}/messages/send`, { key, body: message }))
    const file = { filename: name, content_type: 'text/plain' }
    const begun = await each(() => service.call('POST', `${at}/attachment-uploads`, { key, body: file }))
    const { contactGroup, message: message_id, ...mail } = mailOf(grantId)
    const values = {
      ...{ grant_id: grantId, email, calendar_id, event_id: events[0] ?? '', configuration_id, message_id },
      'groupEvents.configuration_id': group.id,
      signature_id: await posted(`${at}/signatures`, template),
      template_id,
      workflow_id: await posted(`${at}/workflows`, () => workflow(template_id)),
      schedule_id: sent.body.schedule_id ?? 'none',
      upload_id: begun.body.data?.attachment_id ?? 'none',
      ...Object.fromEntries(Object.entries(mail).map(([kind, id]) => [`${kind}_id`, id])),
      group_id: contactGroup,
    }
    return { grantId, email, externalId, values }
  }

  /** A booking on a page that is always open, and its configuration. */
  async function booking({ grantId, email, values: { calendar_id } }: Account): Promise<[string, string]> {
    const host = { email, is_organizer: true, availability: { calendar_ids: [calendar_id] }, booking: { calendar_id } }
    const page = await post(`/v3/grants/${grantId}/scheduling/configurations`, {
      ...{ participants: [host], availability: { duration_minutes: 30 } },
      event_booking: { title: 'Title', booking_type: 'organizer-confirmation' },
    })
    const guest = { email: 'guest@guest.test', name: 'Guest' }
    const made = await each((title) => {
      const start_time = inDays(5) + (title === 'first' ? 0 : 1_800)
      const body = { start_time, end_time: start_time + 1_800, guest }
      return post(`/v3/scheduling/bookings?configuration_id=${page.id}`, body)
    })
    return [made.booking_id, page.id]
  }

  const client = { client_id: `${name}-client`, client_secret: `${name}-secret` }
  const connector = await post('/v3/connectors', { provider: 'google', name: `${name} google`, settings: client })
  await post('/v3/connectors', { provider: 'virtual-calendar', name: `${name} virtual` })
  const webhookUrl = (title: string) => `${listener.url}/${name}/${title}`
  const webhook = await posted('/v3/webhooks', (title) => ({
    ...{ webhook_url: webhookUrl(title), trigger_types: ['event.created'], description: `${name} ${title}` },
    notification_email_addresses: [`ops@${name}.test`],
  }))
  const first = await account('room', 'page')
  const second = twice ? await account('second', null) : undefined
  const template_id = await posted('/v3/templates', template)
  const workspace = await post('/v3/workspaces', { name: `${name} workspace`, domain: `own.${name}.test` })
  const session = await post('/v3/scheduling/sessions', { slug: 'page', time_to_live: 30 })
  const [booking_id, booked] = await booking(first)
  const of = { applicationId, grantId: first.grantId }
  const agent = await each(() => storeAgent(service, { ...of, grantIds: [first.grantId] }))
  const request = { credential_id: agent.id, application_id: applicationId, method: 'MCP', operation: 'messages.list' }
  await addCredentialRequests(
    database,
    [1, 2].map((n) => ({
      ...{ ...request, at: clock.now() + n, id: randomUUID(), tool: `${name} tool` },
      ...{ status: 200, error: null, grant_id: first.grantId },
    })),
  )
  // One for each decision.
  const approvals: Values = {}
  for (const decision of ['approve', 'reject', 'draft', 'get']) {
    approvals[`approvals.${decision}.approval_id`] = (await storeApproval(service, of)).id
  }
  // Of the grant. The call waits, because a PostgreSQL that others use shows it late.
  const { body: reported } = await service.call('GET', '/v3/notifications?limit=1&wait=30', { key })
  const notification = reported.data[0].id
  const position = (await getNotification(database, applicationId, notification))?.position ?? 0
  const attempts = [1, 2].map((attempt) => {
    const id = { webhookId: webhook, notification: position, attempt }
    const sealedAnswer = payloads.seals.seal(`${name} answers`, answerContext(applicationId, id))
    return { ...id, at: clock.now(), latencyMs: 1, status: 500, error: null, sealedAnswer }
  })
  await logAttempts(database, database.engine, applicationId, attempts)
  // Two, because a job that is retried is no longer failed.
  const [failed, alsoFailed] = [randomUUID(), randomUUID()]
  for (const id of [failed, alsoFailed]) await recordFailedJob(service, { id, applicationId })
  const deletedEmail = `deleted@${name}.test`
  const deleted = twice ? { grantId: (await connect(deletedEmail)).id, email: deletedEmail } : undefined
  if (deleted) await service.call('DELETE', `/v3/grants/${deleted.grantId}`, { key })

  const values: Values = {
    ...first.values,
    application_id: applicationId,
    client_id: applicationId,
    provider: 'google',
    connector_id: connector.id,
    slug: 'page',
    former_slug: 'page',
    webhook_url: webhookUrl('first'),
    'webhooks.create.webhook_url': webhookUrl('created'),
    'redirectUris.id': await posted('/v3/applications/redirect-uris', (title) => ({
      ...{ url: `https://${name}.test/${title}`, platform: 'js', settings: { origin: `https://${name}.test` } },
    })),
    'credentials.id': await posted('/v3/connectors/google/creds', (title) => ({
      ...{ name: `${name} ${title}`, credential_type: 'connector', credential_data: { ...client, title } },
    })),
    'webhooks.id': webhook,
    'deliveries.id': webhook,
    'pubsubChannels.channel_id': await storeChannel(service, { applicationId, transport: 'pubsub' }),
    'snsChannels.channel_id': await storeChannel(service, { applicationId, transport: 'sns' }),
    'natsChannels.channel_id': await storeChannel(service, { applicationId, transport: 'nats' }),
    'amqpChannels.channel_id': await storeChannel(service, { applicationId, transport: 'amqp' }),
    'notifications.id': notification,
    notification_id: notification,
    'apiKeys.id': (
      await post(`/v3/admin/applications/${applicationId}/api-keys`, { name: 'spare', rights: keyRights }, true)
    ).id,
    'failedJobs.id': failed,
    'failedJobs.discard.id': alsoFailed,
    workspace_id: workspace.workspace_id,
    default_workspace_id: (await service.call('GET', '/v3/applications', { key })).body.data.default_workspace_id,
    'templates.template_id': template_id,
    'workflows.template_id': template_id,
    'workflows.workflow_id': await posted('/v3/workflows', () => workflow(template_id)),
    agent_id: agent.id,
    ...approvals,
    booking_id,
    'bookings.configuration_id': booked,
    'schedulingSessions.session_id': session.session_id,
  }
  const known = new Map<string, Values>()
  const params = ({ id, resource }: NamedRoute): Values => {
    const found = known.get(id) ?? { ...values, ...valuesOf(values, resource), ...valuesOf(values, id) }
    known.set(id, found)
    return found
  }
  return { ...first, values, name, applicationId, key, params, ...(second && { second }), ...(deleted && { deleted }) }
}

/** The values for one resource or one operation. */
const valuesOf = (values: Values, owner: string): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(`${owner}.`) ? [[name.slice(owner.length + 1), value]] : [],
    ),
  )

/** What is in the mailbox of a grant. The message `everywhere` has the same id in all of them. */
const mailOf = (grantId: string) => ({
  message: `message ${grantId}`,
  thread: `thread of message ${grantId}`,
  folder: `folder ${grantId}`,
  attachment: `attachment ${grantId}`,
  draft: `draft ${grantId}`,
  contact: `contact ${grantId}`,
  contactGroup: `group ${grantId}`,
})

/** One of a kind for each grant, made when it is first asked for. */
function oneEach<T>(make: (grantId: string) => T): (grantId: string) => T {
  const all = new Map<string, T>()
  return (grantId) => {
    const one = all.get(grantId) ?? make(grantId)
    all.set(grantId, one)
    return one
  }
}

function mailboxOf(grantId: string): Mailbox {
  const { message, folder, attachment, draft } = mailOf(grantId)
  const body = `Text of ${grantId}`
  const folderOf = (id: string) => ({
    ...{ id, grant_id: grantId, object: 'folder' as const, name: `${id} of ${grantId}`, attributes: [] },
  })
  const draftOf = (id: string) => ({
    ...{ ...messageOf(id, { body }), object: 'draft' as const, date: 1_790_000_000, grant_id: grantId },
  })
  return {
    ...createMailbox(),
    attachments: new Set([attachment]),
    messages: new Map([message, 'everywhere'].map((id) => [id, messageOf(id, { body })])),
    drafts: new Map([draft, 'a second draft'].map((id) => [id, draftOf(id)])),
    folders: new Map([folder, 'INBOX'].map((id) => [id, folderOf(id)])),
  }
}

function bookOf(grantId: string): AddressBook {
  const { contact, contactGroup } = mailOf(grantId)
  return {
    contacts: new Map([contact, 'everybody'].map((id) => [id, contactOf(id, grantId)])),
    groups: new Map([contactGroup, 'everything'].map((id) => [id, groupOf(id, grantId)])),
  }
}

/**
 * What a service needs so that its accounts support every operation: mail, contacts and rooms in memory, and calendars of
 * Waypost.
 */
export function everyOperation(onAuthenticate: () => void = () => undefined) {
  const virtual: Provider = providers['virtual-calendar']
  const mailboxes = oneEach(mailboxOf)
  const fake = createFakeSending()
  const sending: Sending = {
    ...fake,
    sendDraft: async (order) => {
      if (!mailboxes(order.grant.grant.id).drafts.has(order.draftId)) throw new ApiError('not_found')
      return fake.sendDraft(order)
    },
  }
  const rooms: Pick<Operations<{ grant: Grant }>, 'roomResources'> = {
    roomResources: {
      async list({ grant }, _, position) {
        const name = `Room ${position ?? 0} of ${grant.email}`
        const room = { object: 'room_resource' as const, grant_id: grant.id, email: 'room@rooms.test', name }
        return position === undefined ? { items: [room], next: 1 } : { items: [room] }
      },
    },
  }
  const account: Provider = {
    ...mailProvider(mailboxes),
    ...addressBook(oneEach(bookOf)),
    ...virtual,
    ...rooms,
    authenticate: (settings, io, use) => {
      onAuthenticate()
      return virtual.authenticate(settings, io, use)
    },
  }
  return { sending, providers: { 'virtual-calendar': account } }
}
