/**
 * Instant messaging addresses in vCards: IMPP (RFC 4770, RFC 6350 §6.4.3), which names the service by URI scheme or
 * X-SERVICE-TYPE, and the older X-AIM, X-JABBER and so on. Apple's programs write both for one address. Pure.
 */

/** The API's name of a service by URI scheme. */
const bySchemes: Readonly<Record<string, string>> = {
  xmpp: 'jabber',
  aim: 'aim',
  ymsgr: 'yahoo',
  msnim: 'msn',
  msn: 'msn',
  skype: 'skype',
  icq: 'icq',
  gtalk: 'google',
  sip: 'sip',
  irc: 'irc',
  matrix: 'matrix',
}
const schemes: Readonly<Record<string, string>> = {
  jabber: 'xmpp',
  xmpp: 'xmpp',
  aim: 'aim',
  yahoo: 'ymsgr',
  msn: 'msnim',
  skype: 'skype',
  icq: 'aim',
  google: 'xmpp',
  googletalk: 'xmpp',
  gtalk: 'xmpp',
  sip: 'sip',
  irc: 'irc',
  matrix: 'matrix',
}

/** The service of each older property. */
const ownProperties: Readonly<Record<string, string>> = {
  'X-AIM': 'aim',
  'X-ICQ': 'icq',
  'X-JABBER': 'jabber',
  'X-XMPP': 'jabber',
  'X-MSN': 'msn',
  'X-YAHOO': 'yahoo',
  'X-SKYPE': 'skype',
  'X-SKYPE-USERNAME': 'skype',
  'X-GOOGLE-TALK': 'google',
  'X-GTALK': 'google',
  'X-QQ': 'qq',
  'X-GADUGADU': 'gadu-gadu',
  'X-GROUPWISE': 'groupwise',
  'X-MATRIX': 'matrix',
}

export interface ImAddress {
  im_address: string
  type?: string
}

export const isImProperty = (name: string): boolean => name === 'IMPP' || Object.hasOwn(ownProperties, name)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address that a property contains. */
export function readIm(name: string, text: string, service: string | undefined): ImAddress | undefined {
  const value = text.trim()
  if (value === '') return undefined
  const own = ownProperties[name]
  if (own !== undefined) return { im_address: value, type: own }
  const [, scheme = '', rest = value] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(value) ?? []
  // For example `aim:goim?screenname=ada`
  const query = /[?&](?:screenname|handle|contact|user)=([^&]+)/i.exec(rest)?.[1]
  const address = decoded(query ?? rest.replace(/^\/\//, '').replace(/\?(?:chat|add|call)?$/, ''))
  if (address === '') return undefined
  const bySchema = bySchemes[scheme.toLowerCase()] ?? (/^(?:im|x-apple|https?)?$/i.test(scheme) ? undefined : scheme)
  const type = service?.trim() || bySchema
  return { im_address: address, ...(type ? { type } : {}) }
}

/** A key that is equal for properties with the same address: Apple's programs write pairs. */
export const imKey = ({ im_address, type = '' }: ImAddress): string => {
  const service = type.toLowerCase()
  return `${schemes[service] ?? service} ${im_address.toLowerCase()}`
}

/** The URI and the service name of an address. */
export function writeIm({ im_address, type }: { im_address: string; type?: string | null | undefined }): {
  uri: string
  service?: string
} {
  const scheme = type ? (schemes[type.toLowerCase()] ?? 'x-apple') : 'im'
  const uri = `${scheme}:${encodeURIComponent(im_address).replace(/%(?:40|2B|3A|2F)/g, decodeURIComponent)}`
  return type ? { uri, service: type } : { uri }
}
