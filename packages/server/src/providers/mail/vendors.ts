/** The servers of well-known mail services, by the domain of the address. */

export interface Hosts {
  imap: string
  smtp: string
  smtpPort?: number
}

/** Where the mail of well-known domains is; others name their servers. */
const hostsByDomain: Record<string, Hosts> = {
  'aol.com': { imap: 'imap.aol.com', smtp: 'smtp.aol.com', smtpPort: 465 },
  'verizon.net': { imap: 'imap.aol.com', smtp: 'smtp.verizon.net', smtpPort: 465 },
  'yahoo.com': { imap: 'imap.mail.yahoo.com', smtp: 'smtp.mail.yahoo.com', smtpPort: 465 },
  'icloud.com': { imap: 'imap.mail.me.com', smtp: 'smtp.mail.me.com' },
  'me.com': { imap: 'imap.mail.me.com', smtp: 'smtp.mail.me.com' },
  'mac.com': { imap: 'imap.mail.me.com', smtp: 'smtp.mail.me.com' },
  'gmail.com': { imap: 'imap.gmail.com', smtp: 'smtp.gmail.com' },
  'outlook.com': { imap: 'outlook.office365.com', smtp: 'smtp.office365.com' },
  'hotmail.com': { imap: 'outlook.office365.com', smtp: 'smtp.office365.com' },
  'gmx.com': { imap: 'imap.gmx.com', smtp: 'mail.gmx.com' },
  'gmx.de': { imap: 'imap.gmx.net', smtp: 'mail.gmx.net' },
  'gmx.net': { imap: 'imap.gmx.net', smtp: 'mail.gmx.net' },
  'web.de': { imap: 'imap.web.de', smtp: 'smtp.web.de' },
  'mail.ru': { imap: 'imap.mail.ru', smtp: 'smtp.mail.ru', smtpPort: 465 },
  'yandex.com': { imap: 'imap.yandex.com', smtp: 'smtp.yandex.com', smtpPort: 465 },
  'yandex.ru': { imap: 'imap.yandex.ru', smtp: 'smtp.yandex.ru', smtpPort: 465 },
  'zoho.com': { imap: 'imap.zoho.com', smtp: 'smtp.zoho.com', smtpPort: 465 },
  'fastmail.com': { imap: 'imap.fastmail.com', smtp: 'smtp.fastmail.com', smtpPort: 465 },
  'fastmail.fm': { imap: 'imap.fastmail.com', smtp: 'smtp.fastmail.com', smtpPort: 465 },
  'qq.com': { imap: 'imap.qq.com', smtp: 'smtp.qq.com', smtpPort: 465 },
  '163.com': { imap: 'imap.163.com', smtp: 'smtp.163.com', smtpPort: 465 },
  '126.com': { imap: 'imap.126.com', smtp: 'smtp.126.com', smtpPort: 465 },
  't-online.de': { imap: 'secureimap.t-online.de', smtp: 'securesmtp.t-online.de', smtpPort: 465 },
  'orange.fr': { imap: 'imap.orange.fr', smtp: 'smtp.orange.fr', smtpPort: 465 },
  'free.fr': { imap: 'imap.free.fr', smtp: 'smtp.free.fr', smtpPort: 465 },
  'comcast.net': { imap: 'imap.comcast.net', smtp: 'smtp.comcast.net' },
  'att.net': { imap: 'imap.mail.att.net', smtp: 'smtp.mail.att.net', smtpPort: 465 },
}

/** Where the mail of a well-known domain is. */
export const hostsOf = (domain: string): Hosts | undefined =>
  Object.hasOwn(hostsByDomain, domain) ? hostsByDomain[domain] : undefined
