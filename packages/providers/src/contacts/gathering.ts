/**
 * Gathers contacts from the mail of an account: one per address, ignoring case, with the name from the newest message
 * that has one. The account itself is excluded. At most `maxGathered` are stored; beyond that, contacts in new mail
 * replace those mentioned least recently.
 */
import type { Grant } from '@waypost/contract'
import { newOrderedId } from '@waypost/platform/ids'
import type { CachedIo } from '../io.ts'
import { emailKeyOf, keysOf, shownContact } from './contact.ts'
import type { ContactFields, ContactRow, Correspondent } from './tables.ts'

/** Limit per account. */
export const maxGathered = 10_000
const maxAddressLength = 255
const maxNameLength = 255
/** A frequent correspondent is updated at most once a day. */
const metAnewSeconds = 86_400

export interface GatheringIo extends Pick<CachedIo, 'contacts' | 'notify'> {
  /** The maximum number of stored contacts. */
  max?: number
}

/** A person in one or more messages. */
interface Met {
  email: string
  name: string
  metAt: number
  namedAt: number
  isNews: boolean
}

/** Requires one `@` and no characters that need quoting. Truncated or malformed addresses are ignored. */
const isAddress = (email: string): boolean =>
  email.length <= maxAddressLength && /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>\\]+$/.test(email)

/** A display name on one line; empty if it only repeats the address. */
export function nameOf({ name, email }: Pick<Correspondent, 'name' | 'email'>): string {
  // Names are untrusted: a long one is truncated before it is processed.
  const line = name
    .slice(0, 2 * maxNameLength)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replace(/^['"\s]+|['"\s]+$/g, '')
  return emailKeyOf(line) === emailKeyOf(email) ? '' : line.slice(0, maxNameLength).toWellFormed().trim()
}

/** Splits a name: the last word is the surname, unless the surname comes first, before a comma. */
export function nameParts(name: string): Pick<ContactFields, 'given_name' | 'surname'> {
  const [, last, first] = /^([^,]+),\s*([^,]+)$/.exec(name) ?? []
  if (last && first) return { given_name: first.trim(), surname: last.trim() }
  const words = name.split(/\s+/).filter((word) => word !== '')
  const surname = words.length > 1 ? words.pop() : undefined
  return { ...(words.length > 0 ? { given_name: words.join(' ') } : {}), ...(surname ? { surname } : {}) }
}

/** Merges messages into one entry per address. */
function mergeMet(people: readonly Correspondent[], own: string): Map<string, Met> {
  const met = new Map<string, Met>()
  for (const person of people) {
    const key = emailKeyOf(person.email)
    if (key === own || !isAddress(key)) continue
    const { at, isNews } = person
    const before = met.get(key) ?? { email: person.email, name: '', metAt: at, namedAt: 0, isNews: false }
    const name = nameOf(person)
    const isNamed = name !== '' && at >= before.namedAt
    met.set(key, {
      ...before,
      email: at >= before.metAt ? person.email.trim() : before.email,
      ...(isNamed ? { name, namedAt: at } : {}),
      metAt: Math.max(before.metAt, at),
      isNews: before.isNews || isNews,
    })
  }
  return met
}

const newlyMet = ({ email, name, metAt, namedAt }: Met): ContactRow => {
  const fields = { ...nameParts(name), emails: [{ email }] }
  return { id: newOrderedId(), source: 'inbox', fields, ...keysOf(fields), groupId: null, metAt, namedAt }
}

/** The update of a stored contact; undefined if nothing changes. */
function metAgain(row: ContactRow, { name, metAt, namedAt }: Met): { row: ContactRow; isRenamed: boolean } | undefined {
  const parts = nameParts(name)
  const { given_name, surname } = row.fields
  const isRenamed =
    name !== '' && namedAt > row.namedAt && (parts.given_name !== given_name || parts.surname !== surname)
  if (!isRenamed && metAt - row.metAt < metAnewSeconds) return undefined
  const { emails = [] } = row.fields
  const named = isRenamed ? { fields: { ...parts, emails }, namedAt } : {}
  return { row: { ...row, ...named, metAt: Math.max(row.metAt, metAt) }, isRenamed }
}

/** Stores the contacts in messages, in the transaction that stores how far the mail was read. */
export async function gatherContacts(
  grant: Pick<Grant, 'id' | 'email'>,
  { contacts, notify, max = maxGathered }: GatheringIo,
  people: readonly Correspondent[],
): Promise<void> {
  const met = mergeMet(people, emailKeyOf(grant.email))
  if (met.size === 0) return
  const known = new Map((await contacts.met([...met.keys()])).map((row) => [row.emailKey, row]))
  let room = max - (await contacts.count('inbox'))
  for (const [key, person] of met) {
    const before = known.get(key)
    const again = before && metAgain(before, person)
    if (before && !again) continue
    // Contacts in old mail do not replace others.
    if (!before && !person.isNews && room <= 0) continue
    const row = again?.row ?? newlyMet(person)
    await (again ? contacts.update(row) : contacts.insert(row))
    if (!again) room -= 1
    if (person.isNews && again?.isRenamed !== false) await notify('contact.updated', shownContact(row, grant.id))
  }
  for (const { id } of room < 0 ? await contacts.longestUnmet(-room) : []) {
    await contacts.remove(id)
    await notify('contact.deleted', { id, grant_id: grant.id, object: 'contact' })
  }
}
