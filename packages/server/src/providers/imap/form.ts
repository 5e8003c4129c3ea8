/** What users are asked for to sign in to a mailbox, with what is known of their vendor filled in. */
import { invalidField } from '../../lib/api-error.ts'
import { detectByDomain, detectByExchanges } from '../detection.ts'
import type { CredentialForm, FormFacts, FormField, FormShape, ServiceHost } from '../form.ts'
import { type Hosts, hostsOf } from '../mail/vendors.ts'

interface Vendor {
  title: string
  /** A domain of the vendor whose servers are known. */
  domain?: string
  hosts?: Hosts
  /** What the vendor calls the password for mail programs, and where it is made. */
  password?: { name: string; url: string }
  /** Where the vendor explains how to let mail programs in. */
  switch?: string
}

/** By the names that detection gives; those that users know by name are offered. */
const vendors: Record<string, Vendor> = {
  google: {
    title: 'Gmail',
    domain: 'gmail.com',
    password: { name: 'app password', url: 'https://myaccount.google.com/apppasswords' },
  },
  icloud: {
    title: 'iCloud',
    domain: 'icloud.com',
    password: { name: 'app-specific password', url: 'https://account.apple.com/account/manage' },
  },
  yahoo: {
    title: 'Yahoo',
    domain: 'yahoo.com',
    password: { name: 'app password', url: 'https://login.yahoo.com/myaccount/security/app-password' },
  },
  aol: {
    title: 'AOL',
    domain: 'aol.com',
    password: { name: 'app password', url: 'https://login.aol.com/myaccount/security/app-password' },
  },
  verizon: {
    title: 'Verizon',
    domain: 'verizon.net',
    password: { name: 'app password', url: 'https://login.aol.com/myaccount/security/app-password' },
  },
  microsoft: { title: 'Outlook', domain: 'outlook.com' },
  fastmail: {
    title: 'Fastmail',
    domain: 'fastmail.com',
    password: { name: 'app password', url: 'https://app.fastmail.com/settings/security/apps' },
  },
  gmx: { title: 'GMX', domain: 'gmx.net', switch: 'https://hilfe.gmx.net/pop-imap/einschalten.html' },
  'web.de': { title: 'WEB.DE', domain: 'web.de', switch: 'https://hilfe.web.de/pop-imap/einschalten.html' },
  'mail.ru': {
    title: 'Mail.ru',
    domain: 'mail.ru',
    password: { name: 'password for external applications', url: 'https://account.mail.ru/user/2-step-auth/passwords' },
  },
  yandex: {
    title: 'Yandex',
    domain: 'yandex.com',
    password: { name: 'app password', url: 'https://id.yandex.com/security/app-passwords' },
  },
  zoho: {
    title: 'Zoho',
    domain: 'zoho.com',
    password: { name: 'application-specific password', url: 'https://accounts.zoho.com/home#security/app_password' },
  },
  qq: {
    title: 'QQ Mail',
    domain: 'qq.com',
    password: { name: 'authorization code', url: 'https://wx.mail.qq.com/account/index' },
  },
  '163': {
    title: 'NetEase 163',
    domain: '163.com',
    password: { name: 'authorization code', url: 'https://mail.163.com/' },
  },
  '126': {
    title: 'NetEase 126',
    domain: '126.com',
    password: { name: 'authorization code', url: 'https://mail.126.com/' },
  },
  't-online': { title: 'T-Online', domain: 't-online.de' },
  orange: { title: 'Orange', domain: 'orange.fr' },
  free: { title: 'Free', domain: 'free.fr' },
  comcast: { title: 'Comcast', domain: 'comcast.net' },
  att: {
    title: 'AT&T',
    domain: 'att.net',
    password: { name: 'secure mail key', url: 'https://www.att.com/acctmgmt/passthrough/securemailkey' },
  },
  ionos: { title: 'IONOS', hosts: { imap: 'imap.ionos.com', smtp: 'smtp.ionos.com' } },
  godaddy: {
    title: 'GoDaddy',
    hosts: { imap: 'imap.secureserver.net', smtp: 'smtpout.secureserver.net', smtpPort: 465 },
  },
  ovh: { title: 'OVHcloud', hosts: { imap: 'ssl0.ovh.net', smtp: 'ssl0.ovh.net', smtpPort: 465 } },
  gandi: { title: 'Gandi', hosts: { imap: 'mail.gandi.net', smtp: 'mail.gandi.net' } },
}

const vendorOf = (id: string | undefined): Vendor | undefined =>
  id !== undefined && Object.hasOwn(vendors, id) ? vendors[id] : undefined

/** The vendor behind an address, as far as it is known. */
function vendorFor({ email, vendor, exchanges }: FormFacts): Vendor | undefined {
  const found = detectByDomain(domainOf(email)) ?? vendor ?? detectByExchanges(exchanges)
  return vendorOf(typeof found === 'string' ? found : (found?.type ?? found?.provider))
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

function adviceFor(vendor: Vendor | undefined): FormShape['advice'] {
  if (vendor?.password) {
    const { name, url } = vendor.password
    return {
      text: `${vendor.title} lets other applications in with ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}, not with your usual password.`,
      link: { url, label: `Make ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name} at ${vendor.title}` },
    }
  }
  if (!vendor?.switch) return undefined
  const text = `${vendor.title} must be told first that mail programs may read your mail (IMAP).`
  return { text, link: { url: vendor.switch, label: `How to turn IMAP on at ${vendor.title}` } }
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
  const ofVendor = vendor?.hosts ?? (vendor?.domain === undefined ? undefined : hostsOf(vendor.domain))
  const known = hostsOf(domain) ?? ofVendor
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
    ],
  }
}

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
  vendors: Object.entries(vendors).map(([id, { title }]) => ({ id, title })),
  services: [...imapServices, ...smtpServices],
  shapeFor,
  settingsOf,
  // Otherwise anybody could put a server of their own under somebody's address.
  fixed: ['imap_host', 'imap_username'],
}
