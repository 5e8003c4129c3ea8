/** The Exchange server of an account, and its credentials. */
import { loginOf, namedServer, servicePath, urlOf } from './login.ts'

export interface EwsAccount {
  /** The URL of the web service, such as `https://mail.example.com/EWS/Exchange.asmx`. */
  url: string
  /** As the user wrote it: `DOMAIN\\user`, a user principal name or an address. */
  user: string
  password: string
  /** The address of the mailbox. */
  address: string
  /**
   * Whether the user is a service account that impersonates the mailbox of the address (ApplicationImpersonation).
   */
  isImpersonated?: boolean | undefined
}

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
