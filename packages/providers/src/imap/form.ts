/** The sign-in form of a mailbox, with the known servers of its vendor filled in. */
import { invalidField } from '@waypost/platform/api-error'
import {
  type CredentialForm,
  type FormFacts,
  type FormSection,
  type FormShape,
  passwordField,
  type ServiceHost,
} from '../form.ts'
import { adviceFor, domainOf, insteadFor, vendorFor } from '../mail/vendor-advice.ts'
import { hostsOf, type Vendor, vendors } from '../mail/vendors.ts'
import { hostName, judgeHeardHost, domainOf as ownDomainOf } from '../shared/domain-hosts.ts'

/** RFC 6186 and RFC 8314: TLS from the first byte, or after STARTTLS. */
const imapServices = ['_imaps._tcp', '_imap._tcp'] as const
const smtpServices = ['_submissions._tcp', '_submission._tcp'] as const

interface Servers {
  imap: ServiceHost
  smtp: ServiceHost | undefined
  /** The servers are certain, so the user need not see them. */
  sure: boolean
  /** DNS records name a server outside the domain of the address. */
  isForeign: boolean
}

/** The mail servers of an address: of a well-known vendor, of the vendor of its domain, or from DNS. */
function serversFor(facts: FormFacts, vendor: Vendor | undefined): Servers | undefined {
  const domain = domainOf(facts.email)
  const known = hostsOf(domain) ?? vendor?.hosts
  if (known) {
    const smtp = { host: known.smtp, port: known.smtpPort ?? 587 }
    return { imap: { host: known.imap, port: 993 }, smtp, sure: true, isForeign: false }
  }
  const said = (names: readonly string[]): ServiceHost | undefined =>
    names.map((name) => facts.services[name]).find((found) => found !== undefined && hostName(found.host) !== undefined)
  const imap = said(imapServices)
  const smtp = said(smtpServices)
  if (!imap) return undefined
  // DNS records can be forged, so the user must confirm a server outside the domain (RFC 6186 §6).
  const own = ownDomainOf(facts.email)
  const isForeign = (at: ServiceHost | undefined): boolean =>
    at !== undefined && !(own !== undefined && 'origin' in judgeHeardHost(at, [own]))
  const foreign = isForeign(imap) || isForeign(smtp)
  return { imap, smtp, isForeign: foreign, sure: !foreign && (smtp !== undefined || !facts.sends) }
}

function shapeFor(facts: FormFacts): FormShape {
  const vendor = vendorFor(facts)
  const servers = serversFor(facts, vendor)
  const needed = servers?.sure !== true
  const password = passwordField(vendor?.password?.name ?? 'form.password', { name: 'imap_password' })
  return {
    advice: adviceFor(vendor),
    instead: insteadFor(facts),
    sections: [{ fields: [password] }, ...serverSections(facts, servers, needed), userNames, calendarsAndContacts],
  }
}

/** Notes for the user about uncertain servers. */
function noteOn(servers: Servers | undefined): 'form.servers_unknown' | 'form.servers_foreign' | undefined {
  if (!servers) return 'form.servers_unknown'
  return servers.isForeign ? 'form.servers_foreign' : undefined
}

function serverSections(facts: FormFacts, servers: Servers | undefined, needed: boolean): FormSection[] {
  const portOf = (at: ServiceHost | undefined, usual: number): string => String(at?.port ?? usual)
  return [
    {
      title: 'form.incoming',
      note: noteOn(servers),
      folded: true,
      needed,
      fields: [
        {
          name: 'imap_host',
          label: 'form.incoming_server',
          kind: 'text',
          value: servers?.imap.host,
          hint: 'form.incoming_server_hint',
          required: true,
        },
        { name: 'imap_port', label: 'form.incoming_port', kind: 'port', value: portOf(servers?.imap, 993) },
      ],
    },
    {
      title: 'form.outgoing',
      note: facts.sends ? undefined : 'form.outgoing_note',
      folded: true,
      needed,
      fields: [
        {
          name: 'smtp_host',
          label: 'form.outgoing_server',
          kind: 'text',
          value: servers?.smtp?.host,
          hint: 'form.outgoing_server_hint',
          required: facts.sends,
        },
        { name: 'smtp_port', label: 'form.outgoing_port', kind: 'port', value: portOf(servers?.smtp, 587) },
      ],
    },
  ]
}

const userNames: FormSection = {
  title: 'form.user_names',
  note: 'form.user_names_note',
  folded: true,
  fields: [
    { name: 'imap_username', label: 'form.incoming_user', kind: 'text' },
    { name: 'smtp_username', label: 'form.outgoing_user', kind: 'text' },
    { name: 'smtp_password', label: 'form.outgoing_password', kind: 'password' },
  ],
}

const calendarsAndContacts: FormSection = {
  title: 'form.calendars_contacts',
  note: 'form.calendars_contacts_note',
  folded: true,
  fields: [
    { name: 'caldav_url', label: 'form.calendars_address', kind: 'text', hint: 'form.address_example' },
    { name: 'carddav_url', label: 'form.contacts_address', kind: 'text', hint: 'form.address_example' },
    { name: 'dav_username', label: 'form.dav_user', kind: 'text', hint: 'form.if_other' },
    { name: 'dav_password', label: 'form.dav_password', kind: 'password', hint: 'form.if_other' },
  ],
}

function settingsOf(
  email: string,
  written: Record<string, string>,
  { sends }: { sends: boolean },
): Record<string, unknown> {
  const given = Object.fromEntries(
    Object.entries(written)
      .map(([name, value]) => [name, name.endsWith('_password') ? value : value.trim()] as const)
      .filter(([, value]) => value !== ''),
  )
  if (given.imap_password === undefined) throw invalidField('settings.imap_password', 'is missing')
  if (given.imap_host === undefined) throw invalidField('settings.imap_host', 'is missing')
  if (given.smtp_host === undefined) {
    if (sends) throw invalidField('settings.smtp_host', 'is missing: this application sends mail for you')
    // The other fields were filled in for the server that the user removed.
    for (const name of ['smtp_port', 'smtp_username', 'smtp_password']) delete given[name]
  }
  return { ...given, imap_username: given.imap_username ?? email, ...(given.imap_username ? { email } : {}) }
}

export const form: CredentialForm = {
  anyAddress: true,
  vendors: Object.entries(vendors)
    .flatMap(([id, { title, provider }]) => (title === undefined ? [] : [{ id, title, provider }]))
    // JavaScript lists numeric keys first.
    .toSorted((a, b) => Number(/^\d/.test(a.id)) - Number(/^\d/.test(b.id))),
  services: [...imapServices, ...smtpServices],
  shapeFor,
  settingsOf,
  // Otherwise anyone could register their own server under another person's address.
  fixed: ['imap_host', 'imap_username', 'caldav_url', 'carddav_url', 'dav_username'],
  proof: { settings: ['imap_host', 'imap_port', 'imap_username'], fields: ['imap_password'] },
}
