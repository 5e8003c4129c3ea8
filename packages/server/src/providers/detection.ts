/**
 * Which provider stands behind an address: by the domain first, then by where its mail goes. Facts only; the look-up of
 * MX records is given.
 */
export interface Detected {
  provider: string
  /** The vendor, where the provider is plain IMAP. */
  type?: string
}

const vendor = (type: string): Detected => ({ provider: 'imap', type })

const byDomain: Record<string, Detected> = {
  'gmail.com': { provider: 'google' },
  'googlemail.com': { provider: 'google' },
  'google.com': { provider: 'google' },
  'outlook.com': { provider: 'microsoft' },
  'hotmail.com': { provider: 'microsoft' },
  'live.com': { provider: 'microsoft' },
  'msn.com': { provider: 'microsoft' },
  'office365.com': { provider: 'microsoft' },
  'outlook.de': { provider: 'microsoft' },
  'outlook.fr': { provider: 'microsoft' },
  'hotmail.co.uk': { provider: 'microsoft' },
  'hotmail.fr': { provider: 'microsoft' },
  'icloud.com': { provider: 'icloud' },
  'me.com': { provider: 'icloud' },
  'mac.com': { provider: 'icloud' },
  'yahoo.com': { provider: 'yahoo' },
  'yahoo.co.uk': { provider: 'yahoo' },
  'yahoo.fr': { provider: 'yahoo' },
  'yahoo.de': { provider: 'yahoo' },
  'ymail.com': { provider: 'yahoo' },
  'rocketmail.com': { provider: 'yahoo' },
  'aol.com': vendor('aol'),
  'verizon.net': vendor('verizon'),
  'gmx.com': vendor('gmx'),
  'gmx.de': vendor('gmx'),
  'gmx.net': vendor('gmx'),
  'web.de': vendor('web.de'),
  'mail.ru': vendor('mail.ru'),
  'yandex.com': vendor('yandex'),
  'yandex.ru': vendor('yandex'),
  'zoho.com': vendor('zoho'),
  'fastmail.com': vendor('fastmail'),
  'fastmail.fm': vendor('fastmail'),
  'qq.com': vendor('qq'),
  '163.com': vendor('163'),
  '126.com': vendor('126'),
  't-online.de': vendor('t-online'),
  'orange.fr': vendor('orange'),
  'free.fr': vendor('free'),
  'comcast.net': vendor('comcast'),
  'att.net': vendor('att'),
}

const byExchange: readonly (readonly [suffix: string, detected: Detected])[] = [
  ['google.com', { provider: 'google' }],
  ['googlemail.com', { provider: 'google' }],
  ['mail.protection.outlook.com', { provider: 'microsoft' }],
  ['olc.protection.outlook.com', { provider: 'microsoft' }],
  ['mx.microsoft', { provider: 'microsoft' }],
  ['mail.icloud.com', { provider: 'icloud' }],
  ['yahoodns.net', { provider: 'yahoo' }],
  ['messagingengine.com', vendor('fastmail')],
  ['zoho.com', vendor('zoho')],
  ['zoho.eu', vendor('zoho')],
  ['yandex.net', vendor('yandex')],
  ['emailsrvr.com', vendor('rackspace')],
  ['secureserver.net', vendor('godaddy')],
  ['kundenserver.de', vendor('ionos')],
  ['ovh.net', vendor('ovh')],
  ['gandi.net', vendor('gandi')],
]

/** Detects by the domain alone. */
export const detectByDomain = (domain: string): Detected | undefined =>
  Object.hasOwn(byDomain, domain.toLowerCase()) ? byDomain[domain.toLowerCase()] : undefined

/** Detects by the hosts that take the domain's mail, the best one first. A domain that takes mail at all speaks IMAP, most likely. */
export function detectByExchanges(exchanges: readonly string[]): Detected | undefined {
  for (const exchange of exchanges) {
    const host = exchange.toLowerCase().replace(/\.$/, '')
    const found = byExchange.find(([suffix]) => host === suffix || host.endsWith(`.${suffix}`))
    if (found) return found[1]
  }
  return exchanges.length > 0 ? { provider: 'imap' } : undefined
}
