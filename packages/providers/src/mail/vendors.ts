/**
 * Facts about well-known mail services in one table: domains, mail hosts, servers, and requirements for mail clients.
 */
import type { ProviderKind } from '@waypost/contract'
import type { PasswordKey } from '../form.ts'

export interface Hosts {
  imap: string
  smtp: string
  smtpPort?: number
}

/** Peculiarities of an IMAP server. */
export interface ImapTraits {
  /** SEARCH fails with OR: alternatives are searched one by one. */
  plainSearch?: true
  /** Maximum duration of an IDLE before it is restarted. */
  idleSeconds?: number
  /** Allowed connections per account, minus the one of the watcher. */
  connections?: number
  /** Special-use attributes of folders that only this vendor names this way, keyed by folder name. */
  folderUses?: Readonly<Record<string, string>>
}

export interface Vendor {
  /** The display name; a service without one is recognized but not offered. */
  title?: string
  /** The provider kind for its accounts, if not plain IMAP. */
  provider?: ProviderKind
  /** Domains of its addresses. */
  domains?: readonly string[]
  /** Suffixes of the MX hosts of its customers' domains. */
  exchanges?: readonly string[]
  hosts?: Hosts
  imap?: ImapTraits
  /** Domains with servers of their own. */
  hostsByDomain?: Readonly<Record<string, Hosts>>
  /** SMTP servers with these suffixes file sent messages themselves; a copy of ours would be a duplicate. */
  filesSentMail?: readonly string[]
  /** SMTP servers with these suffixes do so for some accounts. */
  mayFileSentMail?: readonly string[]
  /** The vendor's name of its app password, and where to create one. */
  password?: { name: PasswordKey; url: string /** It can be made once two-step verification is on. */; twoStep?: true }
  /** Its accounts cannot be used by other applications with any password. */
  noPasswords?: true
  /** The vendor's help page on access for mail clients. */
  imapGuide?: string
}

/**
 * Servers of Yahoo and AOL: SEARCH does not support NOT and fails with OR over headers; an IDLE must be restarted
 * every three minutes; few connections are allowed; folders have no special-use attributes. docs/yahoo.md names the
 * sources.
 */
const yahooServers: ImapTraits = {
  plainSearch: true,
  idleSeconds: 180,
  connections: 2,
  folderUses: { Bulk: '\\Junk' },
}

const appPassword = (url: string) => ({ name: 'form.app_password', url }) as const
const aolPassword = appPassword('https://login.aol.com/myaccount/security/app-password')
/** Hosts whose SMTP server needs TLS from the first byte. */
const withTls = (imap: string, smtp: string): Hosts => ({ imap, smtp, smtpPort: 465 })

/** By detection name, in the order in which users see them. */
export const vendors: Readonly<Record<string, Vendor>> = {
  google: {
    title: 'Gmail',
    provider: 'google',
    domains: ['gmail.com', 'googlemail.com', 'google.com'],
    exchanges: ['google.com', 'googlemail.com'],
    hosts: { imap: 'imap.gmail.com', smtp: 'smtp.gmail.com' },
    filesSentMail: ['gmail.com', 'googlemail.com'],
    password: { ...appPassword('https://myaccount.google.com/apppasswords'), twoStep: true },
  },
  icloud: {
    title: 'iCloud',
    provider: 'icloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    exchanges: ['mail.icloud.com'],
    hosts: { imap: 'imap.mail.me.com', smtp: 'smtp.mail.me.com' },
    mayFileSentMail: ['mail.me.com'],
    password: {
      name: 'form.app_specific_password',
      url: 'https://account.apple.com/account/manage',
      twoStep: true,
    },
  },
  yahoo: {
    title: 'Yahoo',
    provider: 'yahoo',
    // Not yahoo.co.jp: Yahoo! JAPAN is another service.
    domains: [
      ...['yahoo.com', 'ymail.com', 'rocketmail.com', 'myyahoo.com'],
      ...[
        'yahoo.co.uk',
        'yahoo.fr',
        'yahoo.de',
        'yahoo.it',
        'yahoo.es',
        'yahoo.se',
        'yahoo.ie',
        'yahoo.gr',
        'yahoo.pl',
      ],
      ...['yahoo.ca', 'yahoo.com.br', 'yahoo.com.mx', 'yahoo.com.ar', 'yahoo.com.au', 'yahoo.co.nz'],
      ...['yahoo.in', 'yahoo.co.in', 'yahoo.co.id', 'yahoo.com.sg', 'yahoo.com.ph', 'yahoo.com.hk', 'yahoo.com.tw'],
    ],
    exchanges: ['yahoodns.net'],
    hosts: withTls('imap.mail.yahoo.com', 'smtp.mail.yahoo.com'),
    imap: yahooServers,
    password: appPassword('https://login.yahoo.com/myaccount/security/app-password'),
  },
  aol: {
    title: 'AOL',
    domains: ['aol.com'],
    hosts: withTls('imap.aol.com', 'smtp.aol.com'),
    imap: yahooServers,
    password: aolPassword,
  },
  verizon: {
    title: 'Verizon',
    domains: ['verizon.net'],
    hosts: withTls('imap.aol.com', 'smtp.verizon.net'),
    imap: yahooServers,
    password: aolPassword,
  },
  microsoft: {
    title: 'Outlook',
    provider: 'microsoft',
    domains: [
      'outlook.com',
      'hotmail.com',
      'live.com',
      'msn.com',
      'office365.com',
      'outlook.de',
      'outlook.fr',
      'hotmail.co.uk',
      'hotmail.fr',
      ...[
        'hotmail.de',
        'hotmail.it',
        'hotmail.es',
        'outlook.es',
        'outlook.it',
        'outlook.jp',
        'outlook.com.br',
        'live.de',
      ],
      ...['live.fr', 'live.nl', 'live.co.uk', 'hotmail.nl', 'hotmail.co.jp', 'live.jp', 'passport.com'],
    ],
    exchanges: ['mail.protection.outlook.com', 'olc.protection.outlook.com', 'mx.microsoft'],
    hosts: { imap: 'outlook.office365.com', smtp: 'smtp.office365.com' },
    filesSentMail: ['office365.com', 'outlook.com', 'hotmail.com'],
    noPasswords: true,
  },
  fastmail: {
    title: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm'],
    exchanges: ['messagingengine.com'],
    hosts: withTls('imap.fastmail.com', 'smtp.fastmail.com'),
    password: appPassword('https://app.fastmail.com/settings/security/apps'),
  },
  'mailbox.org': {
    title: 'mailbox.org',
    domains: ['mailbox.org'],
    exchanges: ['mailbox.org'],
    hosts: withTls('imap.mailbox.org', 'smtp.mailbox.org'),
  },
  posteo: {
    title: 'Posteo',
    domains: ['posteo.de', 'posteo.net', 'posteo.org'],
    exchanges: ['posteo.de'],
    hosts: withTls('posteo.de', 'posteo.de'),
  },
  gmx: {
    title: 'GMX',
    domains: ['gmx.net', 'gmx.de', 'gmx.com'],
    hosts: { imap: 'imap.gmx.net', smtp: 'mail.gmx.net' },
    hostsByDomain: { 'gmx.com': { imap: 'imap.gmx.com', smtp: 'mail.gmx.com' } },
    imapGuide: 'https://hilfe.gmx.net/pop-imap/einschalten.html',
  },
  'web.de': {
    title: 'WEB.DE',
    domains: ['web.de'],
    hosts: { imap: 'imap.web.de', smtp: 'smtp.web.de' },
    imapGuide: 'https://hilfe.web.de/pop-imap/einschalten.html',
  },
  'mail.ru': {
    title: 'Mail.ru',
    domains: ['mail.ru'],
    hosts: withTls('imap.mail.ru', 'smtp.mail.ru'),
    password: { name: 'form.external_password', url: 'https://account.mail.ru/user/2-step-auth/passwords' },
  },
  yandex: {
    title: 'Yandex',
    domains: ['yandex.com', 'yandex.ru'],
    exchanges: ['yandex.net'],
    hosts: withTls('imap.yandex.com', 'smtp.yandex.com'),
    hostsByDomain: { 'yandex.ru': withTls('imap.yandex.ru', 'smtp.yandex.ru') },
    password: appPassword('https://id.yandex.com/security/app-passwords'),
  },
  zoho: {
    title: 'Zoho',
    domains: ['zoho.com', 'zohomail.com', 'zohomail.eu'],
    exchanges: ['zoho.com', 'zoho.eu'],
    hosts: withTls('imap.zoho.com', 'smtp.zoho.com'),
    hostsByDomain: { 'zohomail.eu': withTls('imap.zoho.eu', 'smtp.zoho.eu') },
    password: {
      name: 'form.application_specific_password',
      url: 'https://accounts.zoho.com/home#security/app_password',
    },
  },
  qq: {
    title: 'QQ Mail',
    domains: ['qq.com'],
    hosts: withTls('imap.qq.com', 'smtp.qq.com'),
    password: { name: 'form.authorization_code', url: 'https://wx.mail.qq.com/account/index' },
  },
  '163': {
    title: 'NetEase 163',
    domains: ['163.com'],
    hosts: withTls('imap.163.com', 'smtp.163.com'),
    password: { name: 'form.authorization_code', url: 'https://mail.163.com/' },
  },
  '126': {
    title: 'NetEase 126',
    domains: ['126.com'],
    hosts: withTls('imap.126.com', 'smtp.126.com'),
    password: { name: 'form.authorization_code', url: 'https://mail.126.com/' },
  },
  't-online': {
    title: 'T-Online',
    domains: ['t-online.de'],
    hosts: withTls('secureimap.t-online.de', 'securesmtp.t-online.de'),
  },
  orange: { title: 'Orange', domains: ['orange.fr'], hosts: withTls('imap.orange.fr', 'smtp.orange.fr') },
  free: { title: 'Free', domains: ['free.fr'], hosts: withTls('imap.free.fr', 'smtp.free.fr') },
  comcast: {
    title: 'Comcast',
    domains: ['comcast.net'],
    hosts: { imap: 'imap.comcast.net', smtp: 'smtp.comcast.net' },
  },
  att: {
    title: 'AT&T',
    domains: ['att.net'],
    hosts: withTls('imap.mail.att.net', 'smtp.mail.att.net'),
    password: { name: 'form.secure_mail_key', url: 'https://www.att.com/acctmgmt/passthrough/securemailkey' },
  },
  ionos: {
    title: 'IONOS',
    exchanges: ['kundenserver.de'],
    hosts: { imap: 'imap.ionos.com', smtp: 'smtp.ionos.com' },
  },
  godaddy: {
    title: 'GoDaddy',
    exchanges: ['secureserver.net'],
    hosts: withTls('imap.secureserver.net', 'smtpout.secureserver.net'),
  },
  ovh: { title: 'OVHcloud', exchanges: ['ovh.net'], hosts: withTls('ssl0.ovh.net', 'ssl0.ovh.net') },
  gandi: { title: 'Gandi', exchanges: ['gandi.net'], hosts: { imap: 'mail.gandi.net', smtp: 'mail.gandi.net' } },
  rackspace: { exchanges: ['emailsrvr.com'] },
}

const byDomain = new Map(
  Object.entries(vendors).flatMap(([id, { domains = [] }]) => domains.map((domain) => [domain, id] as const)),
)

/** The name of the service of a domain. */
export const vendorOfDomain = (domain: string): string | undefined => byDomain.get(domain.toLowerCase())

export const vendorOf = (id: string | undefined): Vendor | undefined =>
  id !== undefined && Object.hasOwn(vendors, id) ? vendors[id] : undefined

/** The mail servers of a well-known domain. */
export function hostsOf(domain: string): Hosts | undefined {
  const vendor = vendorOf(vendorOfDomain(domain))
  return vendor?.hostsByDomain?.[domain.toLowerCase()] ?? vendor?.hosts
}

export const endsWithName = (host: string, names: readonly string[] = []): boolean =>
  names.some((name) => host === name || host.endsWith(`.${name}`))

/** Whether the server or Waypost files sent messages. */
export type SentCopies = 'server' | 'perhaps' | 'ours'

/** Whether an SMTP server files sent messages. */
export function sentCopiesBy(smtpHost: string): SentCopies {
  const host = smtpHost.toLowerCase()
  const all = Object.values(vendors)
  if (all.some((vendor) => endsWithName(host, vendor.filesSentMail))) return 'server'
  return all.some((vendor) => endsWithName(host, vendor.mayFileSentMail)) ? 'perhaps' : 'ours'
}

/** The peculiarities of a well-known IMAP server. */
export const imapTraitsOf = (imapHost: string): ImapTraits | undefined => imapTraits.get(imapHost.toLowerCase())

/** By server host; if several services share one, the first in the table. */
const imapTraits: ReadonlyMap<string, ImapTraits | undefined> = new Map(
  Object.values(vendors)
    .toReversed()
    .flatMap(({ hosts, imap }) => (hosts?.imap === undefined ? [] : [[hosts.imap, imap]])),
)
