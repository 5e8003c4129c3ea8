/** Where an account's Exchange server is, and what lets it in. */
import { loginOf, namedServer, servicePath, urlOf } from './login.ts'

export interface EwsAccount {
  /** Of the web service, such as `https://mail.example.com/EWS/Exchange.asmx`. */
  url: string
  /** As the user wrote it: `DOMAIN\\user`, a user principal name or an address. */
  user: string
  password: string
  /** The address of the mailbox. */
  address: string
  /** Whether the user is a service account that works on the mailbox of the address (ApplicationImpersonation). */
  isImpersonated?: boolean | undefined
}

/** The account of a grant, by its settings and credentials. `providerUrl` stands for every Exchange host where it is set. */
export function accountOf(
  values: Readonly<Record<string, unknown>>,
  email: string | undefined,
  providerUrl: string | undefined,
): EwsAccount {
  const login = loginOf({ email, ...values })
  if (providerUrl !== undefined) return { ...login, url: `${providerUrl}${servicePath}` }
  const server = namedServer(values)
  // Authentication finds it where nobody names it.
  if (!server) throw new Error('the grant has no server')
  return { ...login, url: urlOf(server) }
}
