/**
 * A minimal provider: the skeleton for a new one. Its service is an address book behind HTTP, which stores people as
 * JSON documents by id and requires a password in a header.
 */
import { Contact, type ContactChange, type Grant } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import { type Reader, record } from '@waypost/platform/json/reader'
import type { Io } from '@waypost/providers/io'
import { defineLimits, ignored, unsupported } from '@waypost/providers/limits'
import type { Operations } from '@waypost/providers/operations'
import { defineProvider } from '@waypost/providers/provider'
import { bySchema, jsonOf, readAnswer } from '../../../providers/src/shared/answer.ts'
import { type ExchangeRules, exchange, type Method } from '../../../providers/src/shared/exchange.ts'

interface Session {
  grant: Grant
  call<T>(method: Method, path: string, read: Reader<T>, body?: Contact): Promise<T>
}

/** Errors of the provider become errors of the API here, and nowhere else. */
const rules: ExchangeRules = {
  name: 'the address book',
  headers: { 'content-type': 'application/json' },
  refused({ status }) {
    if (status === 401) return new ApiError('grant_invalid')
    return status === 404 ? new ApiError('not_found') : new ApiError('provider_refused', `it answered ${status}`)
  },
}

const callWith =
  (io: Io, { ews_host, ews_port }: Record<string, unknown>, password: unknown): Session['call'] =>
  async (method, path, read, content) => {
    const headers = { authorization: `Bearer ${password}` }
    const body = content && JSON.stringify(content)
    const request = { url: `http://${ews_host}:${ews_port}${path}`, method, headers, body }
    const answer = await exchange(io, { ...request, maxBytes: 1_000_000, deadlineMs: 10_000 }, rules)
    if (answer.status !== 200) throw rules.refused(answer)
    return readAnswer(await jsonOf(answer.body, rules, io), read, { name: rules.name, onDropped: () => undefined })
  }

const person = bySchema(Contact, 'contact')
const empty = { given_name: null, middle_name: null, surname: null, suffix: null, nickname: null, birthday: null }
const work = { company_name: null, job_title: null, manager_name: null, office_location: null, notes: null }
const lists = { emails: [], phone_numbers: [], im_addresses: [], physical_addresses: [], web_pages: [], groups: [] }

/** The contact after a change; a pure function. */
function changed(before: Contact, change: ContactChange): Contact {
  const { picture: _, picture_url: __, source: ___, display_name: ____, ...fields } = change
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const values = given.map(([name, value]) => [name, value ?? (name in lists ? [] : null)])
  const after = { ...before, ...Object.fromEntries(values) }
  if (!after.given_name && !after.surname && after.emails.length === 0) {
    throw invalidField('given_name', 'is required where there is neither a surname nor an address')
  }
  if (after.birthday && new Date(`${after.birthday}T00:00Z`).toJSON()?.slice(0, 10) !== after.birthday) {
    throw invalidField('birthday', 'is no day of the calendar')
  }
  return { ...after, display_name: [after.given_name, after.surname].filter(Boolean).join(' ') }
}
const at = (id: string): string => `/people/${encodeURIComponent(id)}`

const contacts: Operations<Session>['contacts'] = {
  async list(session, { email, limit }, position) {
    const people = Object.values(await session.call('GET', '/people', record(person)))
    const isMeant = (each: { email: string }): boolean => each.email.toLowerCase() === email?.toLowerCase()
    const found = people.filter(({ emails }) => !email || emails.some(isMeant))
    const end = Number(position ?? 0) + limit
    return { items: found.slice(end - limit, end), ...(end < found.length ? { next: end } : {}) }
  },
  get: (session, { contact_id }) => session.call('GET', at(contact_id), person),
  create({ grant, call }, draft) {
    const identity = { id: newId(), grant_id: grant.id, object: 'contact', source: 'address_book' } as const
    const fresh = { ...identity, display_name: '', ...empty, ...work, ...lists }
    return call('PUT', at(fresh.id), person, changed(fresh, draft))
  },
  async update({ call }, { contact_id }, change) {
    return call('PUT', at(contact_id), person, changed(await call('GET', at(contact_id), person), change))
  },
  delete: (session, { contact_id }) => session.call('DELETE', at(contact_id), () => undefined),
}

const picture = { picture: ignored('it keeps no pictures') }
export const skeleton = defineProvider<Session>()({
  // The tests open accounts of this kind. Add the kind of your provider to `packages/contract/src/provider-kinds.ts`.
  kind: 'ews',
  /** Unsupported filters and fields, which the operations need not check. */
  limits: defineLimits({
    'contacts.list': { query: { phone_number: unsupported('look at all'), group: unsupported('it has none') } },
    'contacts.create': { body: picture },
    'contacts.update': { body: picture },
  }),
  async authenticate({ ews_password: password, ...settings }, io) {
    await callWith(io, settings, password)('GET', '/people', record(person))
    const nobody = { name: null, providerUserId: null, scope: [] }
    return { ...nobody, email: `${settings.ews_username}`, settings, credentials: { password } }
  },
  open: (grant, io) => ({ grant, call: callWith(io, grant.settings, io.credentials().password) }),
  contacts,
})
