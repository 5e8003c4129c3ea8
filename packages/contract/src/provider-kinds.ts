/**
 * The providers of the API: the connector settings of each, and the fields of `POST /v3/connect/custom`. The adapters
 * are in the server; this table defines the input of clients.
 */
import { z } from 'zod'
import { line } from './fields.ts'

const Port = z.coerce.number().int().min(1).max(65_535)
const secret = () => z.string().min(1).max(8192)

const davUrl = (what: string) =>
  line(2048)
    .optional()
    .describe(
      `URL of the account's ${what}; "auto": discover it from the domain; "none": the account has none. Known for common services`,
    )

const oauthClient = z.object({ client_id: line(512).min(1), client_secret: secret() })
const nothing = z.object({})
const refreshToken = z.object({
  refresh_token: secret().describe('Refresh token issued by the provider to your client'),
  credential_id: line(64).optional().describe('Connector credential whose client issued the token'),
})

/** An account is identified by a refresh token, or by its address if a credential gives the application access. */
const oneOfTokenAndAddress =
  (credential: string) =>
  (
    { refresh_token, email_address }: { refresh_token?: string | undefined; email_address?: string | undefined },
    context: z.RefinementCtx,
  ): void => {
    if ((refresh_token === undefined) !== (email_address === undefined)) return
    const message = refresh_token
      ? 'set either this or email_address, not both'
      : `is required, or email_address with the credential_id ${credential}`
    context.addIssue({ code: 'custom', path: ['refresh_token'], message })
  }

/** An account authenticates with a refresh token, or with its address and an app password. */
function oneOfTokenAndPassword(
  given: { refresh_token?: string | undefined; username?: string | undefined; password?: string | undefined },
  context: z.RefinementCtx,
): void {
  const issue = (name: string, message: string): void => context.addIssue({ code: 'custom', path: [name], message })
  const { refresh_token: token, username, password } = given
  if (token === undefined && username === undefined && password === undefined) {
    issue('refresh_token', 'is required, or username with an app password')
  } else if (token !== undefined && (username !== undefined || password !== undefined)) {
    issue('refresh_token', 'set either this or username with password, not both')
  } else if (token === undefined && username === undefined) issue('username', 'is required with password')
  else if (token === undefined && password === undefined) issue('password', 'is required with username')
}

/** A client has an id and a secret; if users enter passwords, it may be absent. */
function bothOfClient(
  { client_id: id, client_secret: value }: { client_id?: string | undefined; client_secret?: string | undefined },
  context: z.RefinementCtx,
): void {
  if ((id === undefined) === (value === undefined)) return
  const [path, other] = id === undefined ? ['client_id', 'client_secret'] : ['client_secret', 'client_id']
  context.addIssue({ code: 'custom', path: [path], message: `is required with ${other}` })
}

/** The mailbox must be named, and a port or path requires a server. */
function ewsAccount(
  given: {
    email?: string | undefined
    ews_host?: string | undefined
    ews_port?: number | undefined
    ews_path?: string | undefined
    ews_impersonation?: boolean | undefined
  },
  context: z.RefinementCtx,
): void {
  const issue = (name: string, message: string): void => context.addIssue({ code: 'custom', path: [name], message })
  if (given.ews_impersonation && !given.email) issue('email', 'is required with ews_impersonation')
  if (given.ews_host) return
  if (given.ews_port !== undefined) issue('ews_host', 'is required with ews_port')
  else if (given.ews_path) issue('ews_host', 'is required with ews_path')
}

interface ProviderKindFacts {
  title: string
  connectorSettings: z.ZodObject
  /** Connector settings that are encrypted and never returned. */
  secretSettings: readonly string[]
  customSettings: z.ZodObject
  takesScope: boolean
}

/** A host name without the rest of a URL, which people often paste too. */
const Host = line(253).refine((text) => !/[\s/@]/.test(text.trim()), {
  error: 'must be a host name such as imap.example.com, without https:// and without a path',
})
const Tenant = line(256).refine((text) => /^[\w.-]+$/.test(text), {
  error: 'must be common, organizations, consumers, the id of a directory, or one of its domains',
})

export const providerKinds = {
  google: {
    title: 'Google',
    connectorSettings: oauthClient.extend({ topic_name: line(512).optional(), project_id: line(256).optional() }),
    secretSettings: ['client_secret'],
    customSettings: z
      .object({
        refresh_token: secret()
          .optional()
          .describe('Refresh token issued by the provider to your client; or email_address'),
        email_address: line(320).optional().describe('With a service account: address of the account to access'),
        scopes: z
          .array(line(1024).min(1))
          .max(200)
          .optional()
          .describe('With a service account: the scopes to request'),
        credential_id: line(64).optional().describe('Connector credential: another client, or a service account'),
      })
      .superRefine(oneOfTokenAndAddress('of a service account')),
    takesScope: true,
  },
  microsoft: {
    title: 'Microsoft',
    connectorSettings: oauthClient.extend({ tenant: Tenant.default('common') }),
    secretSettings: ['client_secret'],
    customSettings: z
      .object({
        refresh_token: secret()
          .optional()
          .describe('Refresh token issued by the provider to your client; or email_address'),
        email_address: line(320).optional().describe('With administrator consent: address of the mailbox to access'),
        credential_id: line(64).optional().describe('Connector credential: another client, or adminconsent'),
      })
      .superRefine(oneOfTokenAndAddress('of an adminconsent credential')),
    takesScope: true,
  },
  imap: {
    title: 'IMAP and SMTP',
    connectorSettings: nothing,
    secretSettings: [],
    customSettings: z
      .object({
        imap_username: line(320).min(1),
        imap_password: secret().optional().describe('Or imap_access_token'),
        imap_access_token: secret().optional().describe('For servers with XOAUTH2 or OAUTHBEARER'),
        imap_host: Host.optional().describe('Default: found from the address'),
        imap_port: Port.optional(),
        smtp_host: Host.optional(),
        smtp_port: Port.optional(),
        smtp_username: line(320).optional().describe('Default: the IMAP one'),
        smtp_password: secret().optional(),
        caldav_url: davUrl('calendars'),
        carddav_url: davUrl('contacts'),
        dav_username: line(320).optional().describe('For calendars and contacts; default: the IMAP one'),
        dav_password: secret().optional().describe('For calendars and contacts; default: the IMAP one'),
        email: line(320).optional().describe('The address, if the user name is not one'),
        watch: z.boolean().optional().describe('false: changes of the account are not detected or reported'),
      })
      .superRefine(({ imap_password, imap_access_token }, context) => {
        if ((imap_password === undefined) !== (imap_access_token === undefined)) return
        const message = imap_password
          ? 'set either this or imap_access_token, not both'
          : 'is required, or imap_access_token'
        context.addIssue({ code: 'custom', path: ['imap_password'], message })
      }),
    takesScope: false,
  },
  icloud: {
    title: 'iCloud',
    connectorSettings: nothing,
    secretSettings: [],
    customSettings: z.object({
      username: line(320).min(1).describe('Address of the Apple Account'),
      password: secret().describe('An app-specific password'),
      email: line(320).optional().describe('Address of the mailbox, if it differs'),
      watch: z.boolean().optional().describe('false: changes of the account are not detected or reported'),
    }),
    takesScope: false,
  },
  yahoo: {
    title: 'Yahoo',
    connectorSettings: oauthClient.partial().superRefine(bothOfClient),
    secretSettings: ['client_secret'],
    customSettings: z
      .object({
        refresh_token: secret().optional().describe('Refresh token issued by Yahoo to your client; or username'),
        redirect_uri: line(2048).optional().describe('Redirect URI with which the refresh token was issued'),
        credential_id: line(64).optional().describe('Connector credential whose client issued the token'),
        username: line(320).optional().describe('With an app password: address of the account'),
        password: secret().optional().describe('An app password, with username'),
      })
      .superRefine(oneOfTokenAndPassword),
    takesScope: true,
  },
  ews: {
    title: 'Exchange (EWS)',
    connectorSettings: nothing,
    secretSettings: [],
    customSettings: z
      .object({
        ews_username: line(320).min(1).describe('User name on the server: an address, or DOMAIN\\name'),
        ews_password: secret(),
        email: line(320).optional().describe('Address of the mailbox; default: the user name'),
        ews_host: line(253).optional().describe('Host name of the server; default: found by Autodiscover'),
        ews_port: Port.optional().describe('Default 443; with ews_host'),
        ews_path: line(1024).optional().describe('Default /EWS/Exchange.asmx; with ews_host'),
        ews_impersonation: z
          .boolean()
          .optional()
          .describe('true: the user name belongs to a service account that impersonates the mailbox in email'),
        watch: z.boolean().optional().describe('false: changes of the account are not detected or reported'),
      })
      .superRefine(ewsAccount),
    takesScope: true,
  },
  'virtual-calendar': {
    title: 'Virtual calendars stored by the service',
    connectorSettings: nothing,
    secretSettings: [],
    customSettings: z.object({
      email: line(256).describe('Identifier of the account: any string, not necessarily an address'),
    }),
    takesScope: false,
  },
  zoom: {
    title: 'Zoom',
    connectorSettings: oauthClient,
    secretSettings: ['client_secret'],
    customSettings: refreshToken,
    takesScope: false,
  },
} as const satisfies Record<string, ProviderKindFacts>

export const ProviderKind = z.enum(Object.keys(providerKinds) as [ProviderKind, ...ProviderKind[]]).meta({
  id: 'ProviderKind',
  description:
    'Provider of an account: `google`, `microsoft`, `imap` (any mailbox with IMAP and SMTP), `icloud`, `yahoo`, `ews` (Exchange servers), `virtual-calendar` (calendars stored by the service, without an external account) or `zoom` (creates Zoom meetings for events of other accounts, and has no mail or calendars)',
})
export type ProviderKind = keyof typeof providerKinds

/**
 * Kinds whose accounts only create conferences. Their grants do not share the uniqueness of addresses: an address can
 * have one of each of them, next to the grant with its mail and calendars.
 */
export const conferencingKinds: ReadonlySet<string> = new Set<ProviderKind>(['zoom'])
