/** What is to be done at each provider before its accounts can be connected, step by step. */
import type { ConnectorSetup, ProviderKind } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { CopyText } from '../../components/copy.tsx'

export interface GuideStep {
  id: string
  title: string
  body: ReactNode
}

export interface Guide {
  /** Before the client is given: what is registered at the provider. */
  register: readonly GuideStep[]
  /** How changes are told at once; absent where there is nothing to say. */
  push?: ReactNode
  /** What people need to connect an account. */
  connect: ReactNode
}

const Out = ({ to, children }: { to: string; children: ReactNode }) => (
  <a href={to} target="_blank" rel="noreferrer noopener">
    {children}
    <span className="hidden"> (opens another tab)</span>
  </a>
)

const Redirect = ({ setup }: { setup: ConnectorSetup | undefined }) =>
  setup?.redirect_uri ? <CopyText text={setup.redirect_uri} label="Copy the redirect address" /> : null

const apis = 'gmail.googleapis.com,calendar-json.googleapis.com,people.googleapis.com'

const google = (setup: ConnectorSetup | undefined): Guide => ({
  register: [
    {
      id: 'project',
      title: 'Make a project and switch its APIs on',
      body: (
        <p>
          In the <Out to="https://console.cloud.google.com/projectcreate">Google Cloud console</Out> make a project,
          then{' '}
          <Out to={`https://console.cloud.google.com/flows/enableapi?apiid=${apis}`}>
            switch on the Gmail, Google Calendar and People APIs
          </Out>
          .
        </p>
      ),
    },
    {
      id: 'consent',
      title: 'Say who you are on the consent screen',
      body: (
        <p>
          Under <Out to="https://console.cloud.google.com/auth/overview">Google Auth Platform</Out> give a name and an
          address. For accounts of your own organisation choose <em>Internal</em>; else <em>External</em>, and name the
          accounts that you try it with as test users.
        </p>
      ),
    },
    {
      id: 'client',
      title: 'Make an OAuth client with the redirect address',
      body: (
        <>
          <p>
            <Out to="https://console.cloud.google.com/auth/clients/create">Create a client</Out> of the type{' '}
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
        Without it new mail is looked for now and then. Calendars need nothing. For mail make a{' '}
        <Out to="https://console.cloud.google.com/cloudpubsub/topic/list">Pub/Sub topic</Out>, and let this account
        publish to it (<em>Pub/Sub Publisher</em>):
      </p>
      <CopyText text="gmail-api-push@system.gserviceaccount.com" label="Copy the account of Gmail" />
      <p>
        Give the topic a subscription of the type <em>Push</em> with this endpoint, <em>authentication</em> on, and the
        same address as audience:
      </p>
      {setup?.push && <CopyText text={`${setup.push.address}/mail`} label="Copy the push address" />}
      <p>Then name the topic in the settings above.</p>
    </>
  ),
  connect: (
    <p>People sign in at Google. Whoever connects must be a test user until Google has checked the application.</p>
  ),
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
          make a new registration. <em>Supported account types</em> says who can sign in, and must fit the tenant below:
          any organisation and personal accounts is <code>common</code>.
        </p>
      ),
    },
    {
      id: 'redirect',
      title: 'Add the redirect address',
      body: (
        <>
          <p>
            Under <em>Authentication</em> add the platform <em>Web</em> with exactly this redirect URI. Microsoft takes
            https alone, or <code>localhost</code>.
          </p>
          <Redirect setup={setup} />
        </>
      ),
    },
    {
      id: 'secret',
      title: 'Make a client secret',
      body: (
        <p>
          Under <em>Certificates &amp; secrets</em>. Take its <em>value</em>, not its id: it is shown once. It expires;
          put the day into your calendar.
        </p>
      ),
    },
    {
      id: 'permissions',
      title: 'Add the permissions',
      body: (
        <p>
          Under <em>API permissions</em> add the delegated permissions of Microsoft Graph that stand under Scopes below,
          beside <code>User.Read</code>.
        </p>
      ),
    },
  ],
  push: (
    <>
      <p>
        Nothing to register: the service asks Graph for notifications of each account itself. They come to this address:
      </p>
      {setup?.push && <CopyText text={setup.push.address} label="Copy the push address" />}
    </>
  ),
  connect: <p>People sign in at Microsoft. In many organisations an administrator approves the application first.</p>,
})

const yahoo = (setup: ConnectorSetup | undefined): Guide => ({
  register: [
    {
      id: 'way',
      title: 'Choose the way in',
      body: (
        <p>
          With <strong>app passwords</strong> there is nothing to register: leave the client empty. For a{' '}
          <strong>sign-in at Yahoo</strong> you need a client that Yahoo has approved for mail.
        </p>
      ),
    },
    {
      id: 'client',
      title: 'For a sign-in: make a client with the redirect address',
      body: (
        <>
          <p>
            At <Out to="https://developer.yahoo.com/apps/create/">developer.yahoo.com</Out>, with <em>Email</em> among
            the OpenID Connect permissions, and exactly this redirect URI:
          </p>
          <Redirect setup={setup} />
          <p>
            Mail is opened on request:{' '}
            <Out to="https://senders.yahooinc.com/developer/developer-access/">ask for access</Out>.
          </p>
        </>
      ),
    },
  ],
  connect: (
    <p>
      With an app password people make one in their{' '}
      <Out to="https://login.yahoo.com/account/security">account security</Out>; the sign-in page says how.
    </p>
  ),
})

const nothing = (connect: ReactNode): Guide => ({ register: [], connect })

const imap = nothing(
  <>
    <p>
      People give their address and password; the servers are found from the address. Where a provider wants an app
      password (Yahoo, iCloud, Fastmail and others), the usual one is refused. Gmail and Outlook take no passwords: set
      up <strong>Google</strong> and <strong>Microsoft</strong> for them.
    </p>
    <p>Of a server of your own this command says what will work and what not:</p>
    <CopyText text="waypost doctor imap mail.example.com" label="Copy the command" />
  </>,
)
const icloud = nothing(
  <p>
    People give the address of their Apple Account and an app-specific password, which they make at{' '}
    <Out to="https://account.apple.com/account/manage">account.apple.com</Out> under <em>Sign-In and Security</em>. The
    usual password is refused.
  </p>,
)
const ews = nothing(
  <p>
    For Exchange servers that organisations run themselves: people give their user name and password, and the server is
    found by Autodiscover. A service account with the right to impersonate opens every mailbox. For Microsoft 365 set up{' '}
    <strong>Microsoft</strong>.
  </p>,
)
const virtual = nothing(
  <p>
    Calendars that the service keeps itself, for whom or what has no mailbox: rooms, machines, tour guides. An account
    needs a name and nothing else.
  </p>,
)

const guides: Partial<Record<ProviderKind, (setup: ConnectorSetup | undefined) => Guide>> = {
  google,
  microsoft,
  yahoo,
  imap: () => imap,
  icloud: () => icloud,
  ews: () => ews,
  'virtual-calendar': () => virtual,
}

export const guideOf = (kind: ProviderKind, setup: ConnectorSetup | undefined): Guide =>
  guides[kind]?.(setup) ?? nothing(<p>Accounts of this kind cannot be connected yet.</p>)
