/**
 * The CalDAV and CardDAV servers of well-known mail services, by IMAP server, because an address in a custom domain
 * says nothing. Other facts about services are in `vendors.ts`.
 */

export interface KnownDav {
  caldav?: string | undefined
  carddav?: string | undefined
  /** Further domains whose hosts may receive the account's credentials. */
  domains?: readonly string[] | undefined
}

/** `{user}` is replaced by the user name. */
const byImapHost: Readonly<Record<string, KnownDav>> = {
  'imap.fastmail.com': {
    caldav: 'https://caldav.fastmail.com/dav/principals/user/{user}/',
    carddav: 'https://carddav.fastmail.com/dav/principals/user/{user}/',
    domains: ['fastmail.com'],
  },
  'imap.mailbox.org': { caldav: 'https://dav.mailbox.org/caldav/', carddav: 'https://dav.mailbox.org/carddav/' },
  'posteo.de': { caldav: 'https://posteo.de:8443/', carddav: 'https://posteo.de:8843/' },
  'imap.gmx.net': { caldav: 'https://caldav.gmx.net/begenda/dav/{user}/', carddav: 'https://carddav.gmx.net/' },
  'imap.gmx.com': { caldav: 'https://caldav.gmx.com/begenda/dav/{user}/', carddav: 'https://carddav.gmx.com/' },
  'imap.web.de': { caldav: 'https://caldav.web.de/begenda/dav/{user}/', carddav: 'https://carddav.web.de/' },
  'imap.zoho.com': { caldav: 'https://calendar.zoho.com/caldav/', carddav: 'https://contacts.zoho.com/carddav/' },
  'imap.zoho.eu': { caldav: 'https://calendar.zoho.eu/caldav/', carddav: 'https://contacts.zoho.eu/carddav/' },
  'imap.yandex.com': { caldav: 'https://caldav.yandex.com/', carddav: 'https://carddav.yandex.com/' },
  'imap.yandex.ru': { caldav: 'https://caldav.yandex.ru/', carddav: 'https://carddav.yandex.ru/' },
  'imap.mail.yahoo.com': {
    caldav: 'https://caldav.calendar.yahoo.com/dav/{user}/',
    carddav: 'https://carddav.address.yahoo.com/dav/{user}/',
    domains: ['yahoo.com'],
  },
  'imap.mail.me.com': {
    caldav: 'https://caldav.icloud.com/',
    carddav: 'https://contacts.icloud.com/',
    domains: ['icloud.com'],
  },
}

/** The service of an IMAP server. */
export function knownDavAt(imapHost: string, user: string): KnownDav | undefined {
  const host = imapHost.toLowerCase()
  const known = Object.hasOwn(byImapHost, host) ? byImapHost[host] : undefined
  const filled = (address: string | undefined): string | undefined =>
    address?.replace('{user}', encodeURIComponent(user).replaceAll('%40', '@'))
  return known && { ...known, caldav: filled(known.caldav), carddav: filled(known.carddav) }
}

/** Usual DAV paths of self-hosted servers, for addresses without a path. */
export const usualDavPaths: readonly string[] = [
  '/remote.php/dav/', // Nextcloud, ownCloud
  '/dav.php/', // Baikal
  '/SOGo/dav/',
  '/dav/', // Zimbra, Stalwart, Cyrus
  '/caldav.php/', // DAViCal
]
