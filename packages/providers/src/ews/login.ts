/** The settings of custom authentication, and the account of a grant: the user, the mailbox and the server. */
import { isIP } from 'node:net'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { hostName } from '../shared/domain-hosts.ts'
import { isCloud } from './autodiscover/trust.ts'

export interface Login {
  /** As the user wrote it: `DOMAIN\name`, a user principal name or an address. */
  user: string
  password: string
  /** The address of the mailbox. */
  address: string
  /** Whether the user is a service account that impersonates the mailbox of the address (ApplicationImpersonation). */
  isImpersonated: boolean
}

/** A server that the user named. */
export interface NamedServer {
  host: string
  port: number
  path: string
}

export const servicePort = 443
export const servicePath = '/EWS/Exchange.asmx'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const isAddress = (value: string): boolean => /^[^\s@\\]+@[^\s@\\]+$/.test(value)

export function loginOf(given: Record<string, unknown>): Login {
  const user = text(given.ews_username).trim()
  if (user === '') throw invalidField('settings.ews_username', 'is required')
  const named = text(given.email).trim()
  const address = named || user
  if (!isAddress(address)) {
    const why = named === '' ? 'is required where the user name is no address' : 'must be the address of the mailbox'
    throw invalidField('settings.email', why)
  }
  return { user, password: text(given.ews_password), address, isImpersonated: given.ews_impersonation === true }
}

/** The server in the settings; undefined if it is to be discovered. */
export function namedServer(given: Record<string, unknown>): NamedServer | undefined {
  const written = text(given.ews_host).trim()
  if (written === '') return undefined
  const bare = written.replace(/^\[(.*)\]$/, '$1')
  const host = isIP(bare) === 6 ? `[${bare}]` : isIP(bare) === 4 ? bare : hostName(written)
  if (host === undefined) {
    throw invalidField('settings.ews_host', 'must be the name of a server, such as mail.example.com')
  }
  if (isCloud(host)) throw inCloud('settings.ews_host')
  const path = text(given.ews_path).trim() || servicePath
  if (!/^\/[^\s?#\\]*$/.test(path) || path.startsWith('//')) {
    throw invalidField('settings.ews_path', `must be a path, such as ${servicePath}`)
  }
  return { host, port: typeof given.ews_port === 'number' ? given.ews_port : servicePort, path }
}

export const urlOf = ({ host, port, path }: NamedServer): string =>
  `https://${host}${port === servicePort ? '' : `:${port}`}${path}`

export function serverAt(url: string): NamedServer {
  const { hostname: host, port, pathname: path } = new URL(url)
  return { host, port: port === '' ? servicePort : Number(port), path }
}

export const inCloud = (field: string): ApiError => {
  const words = 'the mailbox is at Microsoft 365, which takes no passwords: connect it with the provider microsoft'
  return new ApiError('invalid_request', `${field}: ${words}`, {
    ...invalidField(field, words).details,
    fields: { reason: 'cloud_mailbox', field },
  })
}

/** The login of an account, and the URL of its web service, such as `https://mail.example.com/EWS/Exchange.asmx`. */
export type EwsAccount = Omit<Login, 'isImpersonated'> & Partial<Pick<Login, 'isImpersonated'>> & { url: string }

/**
 * The account of a grant, from its settings and credentials. `providerUrl` replaces every Exchange host if it is set.
 */
export function accountOf(
  values: Readonly<Record<string, unknown>>,
  email: string | undefined,
  providerUrl: string | undefined,
): EwsAccount {
  const login = loginOf({ email, ...values })
  if (providerUrl !== undefined) return { ...login, url: `${providerUrl}${servicePath}` }
  const server = namedServer(values)
  // Authentication finds the server if the user does not name it.
  if (!server) throw new Error('the grant has no server')
  return { ...login, url: urlOf(server) }
}
