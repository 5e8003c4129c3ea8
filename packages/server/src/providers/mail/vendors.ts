/**
 * What is known of well-known mail services: their addresses, where their mail goes, their servers, and what they want of
 * mail programs. The one table of such facts.
 */
import type { ProviderKind } from '@waypost/contract'
import type { PasswordKey } from '../form.ts'

export interface Hosts {
  imap: string
  smtp: string
  smtpPort?: number
}

/** How an IMAP server differs from others. */
export interface ImapTraits {
  /** SEARCH fails at OR: alternatives are searched for one by one. */
  plainSearch?: true
  /** How long an IDLE may last before it is begun anew. */
  idleSeconds?: number
  /** How many connections of one account it takes, less the one of a watcher. */
  connections?: number
  /** What folders are for whose names say it at this server alone, by their names. */
  folderUses?: Readonly<Record<string, string>>
}

export interface Vendor {
  /** The name that users know; a service without one is recognised, and not offered. */
  title?: string
  /** The kind of provider that serves its accounts, where that is not plain IMAP. */
  provider?: ProviderKind
  /** Of its addresses. */
  domains?: readonly string[]
  /** The hosts that take the mail of domains of its customers end with one of these. */
  exchanges?: readonly string[]
  hosts?: Hosts
  imap?: ImapTraits
  /** Where some of its domains have servers of their own. */
  hostsByDomain?: Readonly<Record<string, Hosts>>
  /** An SMTP server whose name ends with one of these files what it takes: a copy of ours would be a second one. */
  filesSentMail?: readonly string[]
  /** One whose name ends with one of these does so for some accounts. */
  mayFileSentMail?: readonly string[]
  /** What it calls the password for mail programs, and where that is made. */
  password?: { name: PasswordKey; url: string /** It can be made once two-step verification is on. */; twoStep?: true }
  /** No password opens its accounts to other applications. */
  noPasswords?: true
  /** Where it explains how to let mail programs in. */
  imapGuide?: string
}

/**
 * Yahoo's servers, which are AOL's too: SEARCH takes no NOT, and answers OR over headers with an error; an IDLE is to be begun
 * anew every three minutes; few connections are taken; folders do not say what they are for. docs/yahoo.md says who saw it.
 */
const yahooServers: ImapTraits = {
  plainSearch: true,
  idleSeconds: 180,
  connections: 2,
  folderUses: { Bulk: '\\Junk' },
}

const appPassword = (url: string) => ({ name: 'form.app_password', url }) as const
const aolPassword = appPassword('https://login.aol.com/myaccount/security/app-password')
/** Hosts whose SMTP server wants TLS from the first byte. */
const withTls = (imap: string, smtp: string): Hosts => ({ imap, smtp, smtpPort: 465 })

/** By the names that detection gives, in the order in which users are offered them. */
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

/** The name of the service that a domain is of. */
export const vendorOfDomain = (domain: string): string | undefined => byDomain.get(domain.toLowerCase())

export const vendorOf = (id: string | undefined): Vendor | undefined =>
  id !== undefined && Object.hasOwn(vendors, id) ? vendors[id] : undefined

/** Where the mail of a well-known domain is. */
export function hostsOf(domain: string): Hosts | undefined {
  const vendor = vendorOf(vendorOfDomain(domain))
  return vendor?.hostsByDomain?.[domain.toLowerCase()] ?? vendor?.hosts
}

export const endsWithName = (host: string, names: readonly string[] = []): boolean =>
  names.some((name) => host === name || host.endsWith(`.${name}`))

/** Who files what is sent among the account's sent mail. */
export type SentCopies = 'server' | 'perhaps' | 'ours'

/** Who files what an SMTP server takes. */
export function sentCopiesBy(smtpHost: string): SentCopies {
  const host = smtpHost.toLowerCase()
  const all = Object.values(vendors)
  if (all.some((vendor) => endsWithName(host, vendor.filesSentMail))) return 'server'
  return all.some((vendor) => endsWithName(host, vendor.mayFileSentMail)) ? 'perhaps' : 'ours'
}

/** How a well-known IMAP server differs from others. */
export const imapTraitsOf = (imapHost: string): ImapTraits | undefined => imapTraits.get(imapHost.toLowerCase())

/** By the names of their servers; of those that share one, the first in the table. */
const imapTraits: ReadonlyMap<string, ImapTraits | undefined> = new Map(
  Object.values(vendors)
    .toReversed()
    .flatMap(({ hosts, imap }) => (hosts?.imap === undefined ? [] : [[hosts.imap, imap]])),
)
