/** Where an account's Exchange server is, and what lets it in. */
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

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The account of a grant, by its settings and credentials. `providerUrl` stands for every Exchange host where it is set. */
export function accountOf(
  values: Readonly<Record<string, unknown>>,
  email: string | undefined,
  providerUrl: string | undefined,
): EwsAccount {
  const user = text(values.ews_username) ?? ''
  return {
    url: addressOf(values, providerUrl),
    user,
    password: text(values.ews_password) ?? '',
    address: text(values.email) ?? email ?? user,
    isImpersonated: values.ews_impersonated === true,
  }
}

export const servicePath = '/EWS/Exchange.asmx'

function addressOf(values: Readonly<Record<string, unknown>>, providerUrl: string | undefined): string {
  if (providerUrl !== undefined) return `${providerUrl}${servicePath}`
  const found = text(values.ews_url)
  if (found !== undefined) return found
  const port = typeof values.ews_port === 'number' && values.ews_port !== 443 ? `:${values.ews_port}` : ''
  return `https://${text(values.ews_host) ?? ''}${port}${servicePath}`
}
