/** Setup steps at each provider before accounts can be connected. */
import type { ConnectorSetup, ProviderKind } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { CopyText } from '../../components/copy.tsx'

export interface GuideStep {
  id: string
  title: string
  body: ReactNode
}

export interface Guide {
  /** Registration steps at the provider, before the client is entered. */
  register: readonly GuideStep[]
  /** How to receive changes by push; absent if nothing needs to be set up. */
  push?: ReactNode
  /** What people need in order to connect an account. */
  connect: ReactNode
}

const Out = ({ to, children }: { to: string; children: ReactNode }) => (
  <a href={to} target="_blank" rel="noreferrer noopener">
    {children}
    <span className="hidden"> (opens in a new tab)</span>
  </a>
)

const Redirect = ({ setup }: { setup: ConnectorSetup | undefined }) =>
  setup?.redirect_uri ? <CopyText text={setup.redirect_uri} label="Copy redirect URI" /> : null

const apis = 'gmail.googleapis.com,calendar-json.googleapis.com,people.googleapis.com'

const google = (setup: ConnectorSetup | undefined): Guide => ({
  register: [
    {
      id: 'project',
      title: 'Create a project and enable the APIs',
      body: (
        <p>
          In the <Out to="https://console.cloud.google.com/projectcreate">Google Cloud console</Out> create a project,
          then{' '}
          <Out to={`https://console.cloud.google.com/flows/enableapi?apiid=${apis}`}>
            enable the Gmail, Google Calendar and People APIs
          </Out>
          .
        </p>
      ),
    },
    {
      id: 'consent',
      title: 'Configure the consent screen',
      body: (
        <p>
          Under <Out to="https://console.cloud.google.com/auth/overview">Google Auth Platform</Out> enter a name and an
          email address. For accounts in your own organization, choose <em>Internal</em>; otherwise choose{' '}
          <em>External</em> and add your test accounts as test users.
        </p>
      ),
    },
    {
      id: 'client',
      title: 'Create an OAuth client with the redirect URI',
      body: (
        <>
          <p>
            <Out to="https://console.cloud.google.com/auth/clients/create">Create a client</Out> of type{' '}
            <em>Web application</em>, with exactly this redirect URI:
          </p>
          <Redirect setup={setup} />
        </>
      ),
    },
  ],
  push: (
    <>
      <p>
        Without push, the service polls for new mail. Calendars need no setup. For mail, create a{' '}
        <Out to="https://console.cloud.google.com/cloudpubsub/topic/list">Pub/Sub topic</Out> and allow this account to
        publish to it (<em>Pub/Sub Publisher</em>):
      </p>
      <CopyText text="gmail-api-push@system.gserviceaccount.com" label="Copy the Gmail account" />
      <p>
        Create a subscription of type <em>Push</em> on the topic with this endpoint. Turn on <em>authentication</em> and
        use the same URL as audience:
      </p>
      {setup?.push && <CopyText text={`${setup.push.address}/mail`} label="Copy push URL" />}
      <p>Then enter the topic in the settings above.</p>
    </>
  ),
  connect: <p>People sign in with Google. Until Google verifies your application, only test users can connect.</p>,
})

const microsoft = (setup: ConnectorSetup | undefined): Guide => ({
  register: [
    {
      id: 'registration',
      title: 'Register an application',
      body: (
        <p>
          In the{' '}
          <Out to="https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade">
            Entra admin center
          </Out>{' '}
          create a registration. <em>Supported account types</em> controls who can sign in and must match the tenant
          below. For any organization and personal accounts, use <code>common</code>.
        </p>
      ),
    },
    {
      id: 'redirect',
      title: 'Add the redirect URI',
      body: (
        <>
          <p>
            Under <em>Authentication</em> add the platform <em>Web</em> with exactly this redirect URI. Microsoft
            accepts only https URLs and <code>localhost</code>.
          </p>
          <Redirect setup={setup} />
        </>
      ),
    },
    {
      id: 'secret',
      title: 'Create a client secret',
      body: (
        <p>
          Under <em>Certificates &amp; secrets</em>. Copy its <em>value</em>, not its ID. Microsoft shows the value
          once. Note when it expires.
        </p>
      ),
    },
    {
      id: 'permissions',
      title: 'Add the permissions',
      body: (
        <p>
          Under <em>API permissions</em> add the delegated Microsoft Graph permissions listed under Scopes below, and{' '}
          <code>User.Read</code>.
        </p>
      ),
    },
  ],
  push: (
    <>
      <p>
        There is nothing to register. The service subscribes to Graph notifications for each account. Graph sends them
        to this URL:
      </p>
      {setup?.push && <CopyText text={setup.push.address} label="Copy push URL" />}
    </>
  ),
  connect: (
    <p>People sign in with Microsoft. In many organizations an administrator must approve the application first.</p>
  ),
})

const yahoo = (setup: ConnectorSetup | undefined): Guide => ({
  register: [
    {
      id: 'way',
      title: 'Choose how people sign in',
      body: (
        <p>
          With <strong>app passwords</strong> there is nothing to register. Leave the client empty. For{' '}
          <strong>sign-in with Yahoo</strong> you need a client that Yahoo approved for mail.
        </p>
      ),
    },
    {
      id: 'client',
      title: 'For sign-in with Yahoo: create a client with the redirect URI',
      body: (
        <>
          <p>
            At <Out to="https://developer.yahoo.com/apps/create/">developer.yahoo.com</Out>, with <em>Email</em>{' '}
            selected under OpenID Connect permissions and exactly this redirect URI:
          </p>
          <Redirect setup={setup} />
          <p>
            Yahoo grants mail access on request:{' '}
            <Out to="https://senders.yahooinc.com/developer/developer-access/">request access</Out>.
          </p>
        </>
      ),
    },
  ],
  connect: (
    <p>
      People create an app password in their <Out to="https://login.yahoo.com/account/security">account security</Out>.
      The sign-in page explains how.
    </p>
  ),
})

const zoom = (setup: ConnectorSetup | undefined): Guide => ({
  register: [
    {
      id: 'app',
      title: 'Create an app at Zoom with the redirect URI',
      body: (
        <>
          <p>
            At <Out to="https://marketplace.zoom.us/develop/create">marketplace.zoom.us</Out>, choose a{' '}
            <em>General App</em> that is <em>user-managed</em>. Enter exactly this OAuth redirect URL:
          </p>
          <Redirect setup={setup} />
        </>
      ),
    },
    {
      id: 'scopes',
      title: 'Add the scopes',
      body: (
        <>
          <p>Zoom reads the scopes from the app. Add these:</p>
          <CopyText text="user:read:user" label="Copy scope" />
          <CopyText text="meeting:write:meeting" label="Copy scope" />
          <CopyText text="meeting:delete:meeting" label="Copy scope" />
        </>
      ),
    },
  ],
  connect: (
    <p>
      People sign in with Zoom. Events of any calendar then name the Zoom grant in <code>conf_grant_id</code>. Until
      Zoom has reviewed the app, only members of your own Zoom account can connect.
    </p>
  ),
})

const nothing = (connect: ReactNode): Guide => ({ register: [], connect })

const imap = nothing(
  <>
    <p>
      People enter their address and password. The service finds the servers from the address. Some providers, such as
      Yahoo, iCloud and Fastmail, require an app password. Gmail and Outlook do not accept passwords. Set up{' '}
      <strong>Google</strong> and <strong>Microsoft</strong> for them.
    </p>
    <p>To check what works with your own server, run:</p>
    <CopyText text="waypost doctor imap mail.example.com" label="Copy command" />
  </>,
)
const icloud = nothing(
  <p>
    People enter the address of their Apple Account and an app-specific password. They create it at{' '}
    <Out to="https://account.apple.com/account/manage">account.apple.com</Out> under <em>Sign-In and Security</em>.
    Their usual password does not work.
  </p>,
)
const ews = nothing(
  <p>
    For Exchange servers that organizations run themselves. People enter their user name and password, and Autodiscover
    finds the server. A service account with impersonation rights can open every mailbox. For Microsoft 365, set up{' '}
    <strong>Microsoft</strong>.
  </p>,
)
const virtual = nothing(
  <p>
    Calendars stored by this service, for rooms, equipment or people without a mailbox. An account only needs a name.
  </p>,
)

const guides: Partial<Record<ProviderKind, (setup: ConnectorSetup | undefined) => Guide>> = {
  google,
  microsoft,
  yahoo,
  zoom,
  imap: () => imap,
  icloud: () => icloud,
  ews: () => ews,
  'virtual-calendar': () => virtual,
}

export const guideOf = (kind: ProviderKind, setup: ConnectorSetup | undefined): Guide =>
  guides[kind]?.(setup) ?? nothing(<p>This server cannot connect accounts of this provider.</p>)
