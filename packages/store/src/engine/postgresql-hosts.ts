/**
 * Reads the address of PostgreSQL as libpq writes it, with one or several hosts and `target_session_attrs`
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS). The driver knows only one host, so
 * each host becomes an address of its own.
 */

/**
 * Which server a connection is for. `read-write`: one that accepts writes. `primary`: one that is not a standby, even if it
 * is read-only. `any`: also a standby.
 */
export const sessionAttributes = ['read-write', 'primary', 'any'] as const
export type SessionAttributes = (typeof sessionAttributes)[number]

export interface Host {
  /** For messages: the host and the port, without user and password. */
  readonly name: string
  /** The address of this host alone, with the password. */
  readonly url: string
}

export interface Hosts {
  /** In the order of the address; at least one. */
  readonly hosts: readonly Host[]
  readonly attributes: SessionAttributes
  readonly user: string | undefined
  readonly database: string | undefined
  /** Milliseconds until a connection must be open, if `connect_timeout` is part of the address. */
  readonly connectMs: number | undefined
}

/** The address is wrong. The message names what is wrong and contains no password. */
export class WrongAddress extends Error {}

const usualPort = '5432'

interface Place {
  host: string
  port: string
}

function placeOf(text: string, index: number): Place {
  const found = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d*))?$/.exec(text)
  if (!found) wrongHost(index)
  const [, bracketed, plain = '', port = ''] = found
  return { host: decoded(bracketed ?? plain), port }
}

/** Does not repeat the text: it can be a part of a password that is not percent-encoded. */
function wrongHost(index: number): never {
  throw new WrongAddress(
    `host ${index + 1} is not a host with a port, such as db1.example.com:5432 or [2001:db8::1]:5432`,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new WrongAddress('a percent sign in it must be written as %25')
  }
}

/** The hosts of the parameters `host` and `port`, which replace those before the path. */
function placesOf(authority: string, parameters: URLSearchParams): Place[] {
  const hosts = parameters.get('host')?.split(',')
  const ports = parameters.get('port')?.split(',')
  const places = hosts?.map((host) => ({ host, port: '' })) ?? authority.split(',').map(placeOf)
  if (ports === undefined) return places
  if (ports.length !== 1 && ports.length !== places.length) {
    throw new WrongAddress(
      `it has ${places.length} hosts and ${ports.length} ports: name one port, or one for each host`,
    )
  }
  return places.map(({ host }, index) => ({ host, port: ports[index] ?? ports[0] ?? '' }))
}

function attributesOf(given: string | null): SessionAttributes {
  if (given === null) return 'read-write'
  const known = sessionAttributes.find((each) => each === given)
  if (known) return known
  throw new WrongAddress(
    /standby|read-only/.test(given)
      ? `target_session_attrs=${given} asks for a standby, and Waypost writes with every connection: use read-write, primary or any`
      : `target_session_attrs must be ${sessionAttributes.join(', ').replace(/, (\S+)$/, ' or $1')}`,
  )
}

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : encodeURIComponent(host))

const nameOf = ({ host, port }: Place): string =>
  `${host === '' ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port || usualPort}`

function connectMsOf(given: string | null): number | undefined {
  if (given === null) return undefined
  if (!/^\d{1,4}$/.test(given)) throw new WrongAddress('connect_timeout must be a number of seconds')
  // As for libpq: 0 means the default, and less than two seconds are not possible.
  return given === '0' ? undefined : Math.max(2, Number(given)) * 1_000
}

/** Reads an address. Throws `WrongAddress`. */
export function readHosts(url: string): Hosts {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?/.exec(url.trim()) ?? notPostgres()
  if (path.includes('@')) throw new WrongAddress('what is special in the password must be percent-encoded')
  const at = authority.lastIndexOf('@') + 1
  const credentials = authority.slice(0, at)
  const parameters = new URLSearchParams(query)
  const attributes = attributesOf(parameters.get('target_session_attrs'))
  const connectMs = connectMsOf(parameters.get('connect_timeout'))
  const places = placesOf(authority.slice(at), parameters)
  const wrongPort = places.findIndex(({ port }) => port !== '' && !(Number(port) > 0 && Number(port) < 65_536))
  if (wrongPort !== -1) wrongHost(wrongPort)
  const known = {
    user: decoded(credentials.replace(/[:@].*$/s, '')) || parameters.get('user') || undefined,
    database: decoded(path.slice(1)) || undefined,
    ...{ attributes, connectMs },
  }
  for (const own of ['target_session_attrs', 'connect_timeout']) parameters.delete(own)
  // What the driver understands is left as it is.
  const isPlain = places.length === 1 && parameters.size === new URLSearchParams(query).size && URL.canParse(url)
  if (isPlain) return { ...known, hosts: places.map((place) => ({ name: nameOf(place), url: url.trim() })) }
  for (const own of ['host', 'port']) parameters.delete(own)
  const rest = parameters.size > 0 ? `?${parameters.toString().replaceAll('+', '%20')}` : ''
  const hosts = places.map((place) => ({
    name: nameOf(place),
    url: `${scheme}${credentials}${inUrl(place.host || 'localhost')}:${place.port || usualPort}${path}${rest}`,
  }))
  const broken = hosts.findIndex((host) => !URL.canParse(host.url))
  if (broken !== -1) wrongHost(broken)
  return { ...known, hosts }
}

function notPostgres(): never {
  throw new WrongAddress('it must begin with postgres:// or postgresql://')
}

/** Why an address cannot be used, or undefined if it can. */
export function addressProblem(url: string): string | undefined {
  try {
    readHosts(url)
    return undefined
  } catch (error) {
    if (error instanceof WrongAddress) return error.message
    throw error
  }
}
