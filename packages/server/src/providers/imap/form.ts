/** What users are asked for to sign in to a mailbox, with what is known of their vendor filled in. */
import { invalidField } from '../../lib/api-error.ts'
import { detectByDomain, detectByExchanges } from '../detection.ts'
import type { CredentialForm, FormFacts, FormField, FormShape, ServiceHost } from '../form.ts'
import { hostsOf, type Vendor, vendorOf, vendors } from '../mail/vendors.ts'

/** The vendor behind an address, as far as it is known. */
function vendorFor({ email, vendor, exchanges }: FormFacts): Vendor | undefined {
  const found = detectByDomain(domainOf(email)) ?? vendor ?? detectByExchanges(exchanges)
  return vendorOf(typeof found === 'string' ? found : (found?.type ?? found?.provider))
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

function adviceFor(vendor: Vendor | undefined): FormShape['advice'] {
  const { title, password, imapGuide } = vendor ?? {}
  if (title === undefined) return undefined
  if (password) {
    const { name, url } = password
    return {
      text: `${title} lets other applications in with ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}, not with your usual password.`,
      link: { url, label: `Make ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name} at ${title}` },
    }
  }
  if (imapGuide === undefined) return undefined
  const text = `${title} must be told first that mail programs may read your mail (IMAP).`
  return { text, link: { url: imapGuide, label: `How to turn IMAP on at ${title}` } }
}

/** RFC 6186 and RFC 8314: with TLS from the first byte, or after the greeting. */
const imapServices = ['_imaps._tcp', '_imap._tcp'] as const
const smtpServices = ['_submissions._tcp', '_submission._tcp'] as const

interface Servers {
  imap: ServiceHost
  smtp: ServiceHost | undefined
  /** They are certainly the right ones, so that nobody has to look. */
  sure: boolean
}

/** Where the mail of an address is: as everybody knows, as its vendor has it, or as its domain says. */
function serversFor(facts: FormFacts, vendor: Vendor | undefined): Servers | undefined {
  const domain = domainOf(facts.email)
  const known = hostsOf(domain) ?? vendor?.hosts
  if (known) {
    const smtp = { host: known.smtp, port: known.smtpPort ?? 587 }
    return { imap: { host: known.imap, port: 993 }, smtp, sure: true }
  }
  const said = (names: readonly string[]): ServiceHost | undefined =>
    names.map((name) => facts.services[name]).find((found) => found !== undefined)
  const imap = said(imapServices)
  const smtp = said(smtpServices)
  // Names can be forged on the way to us: a server outside of the domain is for the user to look at (RFC 6186 §6).
  const isOwn = ({ host }: ServiceHost): boolean => host === domain || host.endsWith(`.${domain}`)
  return imap && { imap, smtp, sure: isOwn(imap) && (smtp === undefined ? !facts.sends : isOwn(smtp)) }
}

function shapeFor(facts: FormFacts): FormShape {
  const vendor = vendorFor(facts)
  const servers = serversFor(facts, vendor)
  const folded = servers?.sure === true
  const password: FormField = {
    name: 'imap_password',
    label: vendor?.password ? capitalised(vendor.password.name) : 'Password',
    kind: 'password',
    autocomplete: 'current-password',
    required: true,
  }
  const portOf = (at: ServiceHost | undefined, usual: number): string => String(at?.port ?? usual)
  return {
    advice: adviceFor(vendor),
    sections: [
      { fields: [password] },
      {
        title: 'Incoming mail (IMAP)',
        note: servers ? undefined : 'The servers of this address are not known. Your mail provider tells their names.',
        folded,
        fields: [
          { name: 'imap_host', label: 'IMAP server', kind: 'text', value: servers?.imap.host, required: true },
          { name: 'imap_port', label: 'IMAP port', kind: 'port', value: portOf(servers?.imap, 993) },
        ],
      },
      {
        title: 'Outgoing mail (SMTP)',
        note: facts.sends ? undefined : 'Leave the server empty if nothing shall be sent from this account.',
        folded,
        fields: [
          { name: 'smtp_host', label: 'SMTP server', kind: 'text', value: servers?.smtp?.host, required: facts.sends },
          { name: 'smtp_port', label: 'SMTP port', kind: 'port', value: portOf(servers?.smtp, 587) },
        ],
      },
      {
        title: 'User names',
        note: 'Only where they are not your address and the password above.',
        folded: true,
        fields: [
          { name: 'imap_username', label: 'User name', kind: 'text' },
          { name: 'smtp_username', label: 'SMTP user name', kind: 'text' },
          { name: 'smtp_password', label: 'SMTP password', kind: 'password' },
        ],
      },
      {
        title: 'Calendars and contacts (CalDAV, CardDAV)',
        note: 'Those of well-known services are found by themselves. Write "auto" to look where your domain says.',
        folded: true,
        fields: [
          { name: 'caldav_url', label: 'Address of the calendars', kind: 'text', hint: davExample },
          { name: 'carddav_url', label: 'Address of the contacts', kind: 'text', hint: davExample },
          { name: 'dav_username', label: 'User name there', kind: 'text', hint: 'Where it is another one.' },
          { name: 'dav_password', label: 'Password there', kind: 'password', hint: 'Where it is another one.' },
        ],
      },
    ],
  }
}

const davExample = 'Such as https://cloud.example.org.'

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

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
    // What stands in the other fields was filled in for a server that the user took away.
    for (const name of ['smtp_port', 'smtp_username', 'smtp_password']) delete given[name]
  }
  return { ...given, imap_username: given.imap_username ?? email, ...(given.imap_username ? { email } : {}) }
}

export const form: CredentialForm = {
  title: 'Another mail account (IMAP)',
  anyAddress: true,
  vendors: Object.entries(vendors).flatMap(([id, { title, provider }]) =>
    title === undefined ? [] : [{ id, title, provider }],
  ),
  services: [...imapServices, ...smtpServices],
  shapeFor,
  settingsOf,
  // Otherwise anybody could put a server of their own under somebody's address.
  fixed: ['imap_host', 'imap_username', 'caldav_url', 'carddav_url', 'dav_username'],
}
