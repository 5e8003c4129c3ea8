/**
 * A provider, as small as one can be: the skeleton to begin another from. Its world is an address book behind HTTP, which
 * keeps people as JSON documents by id and wants a password in a header.
 */
import type { Contact, ContactChange, Grant } from '@waypost/contract'
import { ApiError, invalidField } from '../../src/lib/api-error.ts'
import { EgressError } from '../../src/lib/egress-error.ts'
import { newId } from '../../src/lib/ids.ts'
import { defineLimits, ignored, unsupported } from '../../src/providers/limits.ts'
import type { Operations } from '../../src/providers/operations.ts'
import { defineProvider, type Io, type SessionIo } from '../../src/providers/provider.ts'

type People = Record<string, Contact>
interface Session {
  grant: Grant
  call<T>(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T>
}

/** One exchange. What the provider says becomes an error of the API here, and nowhere else. */
async function exchange<T>(
  io: Pick<Io, 'request' | 'signal'>,
  to: { url: string; password: unknown; method: string; body?: unknown },
): Promise<T> {
  const headers = { authorization: `Bearer ${to.password}`, 'content-type': 'application/json' }
  const body = to.body === undefined ? {} : { body: JSON.stringify(to.body) }
  const bounds = { deadlineMs: 10_000, maxBytes: 1_000_000, onOverflow: 'fail' as const, signal: io.signal }
  const request = { url: to.url, method: to.method, headers, ...body, ...bounds }
  const answer = await io.request(request).catch((cause: unknown) => {
    if (!(cause instanceof EgressError)) throw cause
    throw new ApiError('provider_unavailable', 'the address book cannot be reached now; try again', { cause })
  })
  if (answer.status === 401) throw new ApiError('grant_invalid')
  if (answer.status === 404) throw new ApiError('not_found')
  if (answer.status !== 200) throw new ApiError('provider_refused', `the address book answered ${answer.status}`)
  return JSON.parse(answer.body.toString())
}

const baseOf = (settings: Record<string, unknown>): string => `http://${settings.ews_host}:${settings.ews_port}`

const empty = { given_name: null, middle_name: null, surname: null, suffix: null, nickname: null, birthday: null }
const work = { company_name: null, job_title: null, manager_name: null, office_location: null, notes: null }
const lists = { emails: [], phone_numbers: [], im_addresses: [], physical_addresses: [], web_pages: [], groups: [] }

/** A contact as it is after a change; pure. */
function changed(before: Contact, change: ContactChange): Contact {
  const { picture: _, picture_url: __, source: ___, display_name: ____, ...fields } = change
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const after = {
    ...before,
    ...Object.fromEntries(given.map(([name, value]) => [name, value ?? (name in lists ? [] : null)])),
  }
  if (!after.given_name && !after.surname && after.emails.length === 0) {
    throw invalidField('given_name', 'is required where there is neither a surname nor an address')
  }
  const { birthday } = after
  if (birthday && new Date(`${birthday}T00:00Z`).toJSON()?.slice(0, 10) !== birthday) {
    throw invalidField('birthday', 'is no day of the calendar')
  }
  return { ...after, display_name: [after.given_name, after.surname].filter(Boolean).join(' ') }
}

const at = (id: string): string => `/people/${encodeURIComponent(id)}`

const contacts: Operations<Session>['contacts'] = {
  async list(session, query, position) {
    const people = Object.values(await session.call<People>('GET', '/people'))
    const wanted = query.email?.toLowerCase()
    const found = people.filter(({ emails }) => !wanted || emails.some(({ email }) => email.toLowerCase() === wanted))
    const start = typeof position === 'number' ? position : 0
    const end = start + query.limit
    return { items: found.slice(start, end), ...(end < found.length ? { next: end } : {}) }
  },
  get: (session, { contact_id }) => session.call('GET', at(contact_id)),
  create(session, draft) {
    const id = newId()
    const identity = { id, grant_id: session.grant.id, object: 'contact' as const, source: 'address_book' as const }
    const fresh: Contact = { ...identity, display_name: '', ...empty, ...work, ...lists }
    return session.call('PUT', at(id), changed(fresh, draft))
  },
  async update(session, { contact_id }, change) {
    return session.call('PUT', at(contact_id), changed(await session.call('GET', at(contact_id)), change))
  },
  delete: (session, { contact_id }) => session.call('DELETE', at(contact_id)),
}

const picture = { picture: ignored('it keeps no pictures') }
/** The filters and fields that it does not take: the operations need not look at them. */
const limits = defineLimits({
  'contacts.list': { query: { phone_number: unsupported('look through all'), group: unsupported('it has no groups') } },
  'contacts.create': { body: picture },
  'contacts.update': { body: picture },
})

export const skeleton = defineProvider<Session>()({
  kind: 'ews',
  limits,
  async authenticate({ ews_password: password, ...settings }, io) {
    await exchange(io, { url: `${baseOf(settings)}/people`, password, method: 'GET' })
    const email = `${settings.ews_username}`
    return { email, name: null, providerUserId: null, scope: [], settings, credentials: { password } }
  },
  open: (grant, io: SessionIo): Session => ({
    grant,
    call: (method, path, body) =>
      exchange(io, { url: `${baseOf(grant.settings)}${path}`, password: io.credentials().password, method, body }),
  }),
  contacts,
})
