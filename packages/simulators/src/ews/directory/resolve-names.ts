// ResolveNames: finds people by part of a name or an address.
import type { EwsCall, ResolvedName } from '../model.ts'
import { answerOne } from '../soap/answers.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { ordered } from '../xml/order.ts'
import { textOf } from '../xml/read.ts'
import { element, optional, type Xml } from '../xml/write.ts'
import { type DirectoryEntry, isMeant } from './entries.ts'

const MAX = 100

export function resolveNames(call: EwsCall): Promise<Xml> {
  return answerOne(call, () => {
    const entry = textOf(call.request, 'UnresolvedEntry') ?? ''
    if (entry === '') throw schemaViolation("The 'UnresolvedEntry' element is invalid: it is empty.")
    const found = find(call, entry)
    if (found.length === 0) throw new EwsError('ErrorNameResolutionNoResults', 'No results were found.')
    const isFull = ['true', '1'].includes(call.request.attributes.ReturnFullContactData ?? '')
    const page = { TotalItemsInView: found.length, IncludesLastItemInRange: found.length <= MAX }
    const rows = found.slice(0, MAX).map((each) => resolutionXml(each, isFull))
    const content = [element('m:ResolutionSet', page, rows)]
    if (found.length === 1) return content
    const message = 'Multiple results were found.'
    return { content, warning: { code: 'ErrorNameResolutionMultipleResults', message } }
  })
}

/** Searches the directory, the user's contacts, or both, as `SearchScope` says. */
function find(call: EwsCall, entry: string): ResolvedName[] {
  const { SearchScope: scope = 'ActiveDirectoryContacts' } = call.request.attributes
  const directory = () =>
    call.world
      .directory()
      .filter((each) => isMeant(each, entry))
      .map(resolved)
  const contacts = () => call.world.registry.resolveNames.flatMap((resolve) => resolve(call, entry))
  switch (scope) {
    case 'ActiveDirectory':
      return directory()
    case 'Contacts':
      return contacts()
    case 'ContactsActiveDirectory':
      return firstOf([...contacts(), ...directory()])
    default:
      return firstOf([...directory(), ...contacts()])
  }
}

/** Removes duplicates. */
function firstOf(found: readonly ResolvedName[]): ResolvedName[] {
  return [...Map.groupBy(found, ({ email }) => email.toLowerCase()).values()].flatMap(([first]) => first ?? [])
}

function resolved(entry: DirectoryEntry): ResolvedName {
  return { email: entry.email, name: entry.name, kind: entry.kind ?? 'Mailbox', contact: () => contactXml(entry) }
}

function resolutionXml({ name, email, kind, itemId, contact }: ResolvedName, isFull: boolean): Xml {
  const mailbox = element('t:Mailbox', [
    element('t:Name', name),
    element('t:EmailAddress', email),
    element('t:RoutingType', 'SMTP'),
    element('t:MailboxType', kind),
    itemId,
  ])
  return element('t:Resolution', [mailbox, isFull ? contact?.() : undefined])
}

function contactXml(entry: DirectoryEntry): Xml {
  const addresses = [`SMTP:${entry.email}`, ...(entry.aliases ?? []).map((alias) => `smtp:${alias}`)]
  const phones = [
    ['BusinessPhone', entry.businessPhone],
    ['MobilePhone', entry.mobilePhone],
  ] as const
  const numbers = phones.filter(([, number]) => number !== undefined)
  const given = [
    element('t:DisplayName', entry.name),
    optional('t:GivenName', entry.givenName),
    optional('t:CompanyName', entry.companyName),
    element(
      't:EmailAddresses',
      addresses.slice(0, 3).map((address, index) => element('t:Entry', { Key: `EmailAddress${index + 1}` }, address)),
    ),
    numbers.length === 0
      ? undefined
      : element(
          't:PhoneNumbers',
          numbers.map(([Key, number]) => element('t:Entry', { Key }, number ?? '')),
        ),
    element('t:ContactSource', 'ActiveDirectory'),
    optional('t:Department', entry.department),
    optional('t:JobTitle', entry.jobTitle),
    optional('t:OfficeLocation', entry.officeLocation),
    optional('t:Surname', entry.surname),
  ]
  return element(
    't:Contact',
    ordered(
      'Contact',
      given.filter((each) => each !== undefined),
    ),
  )
}
