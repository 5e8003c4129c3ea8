/** Users of a simulated Google in hosted sign-ins. */
import type { GoogleSimulator } from '../../../../simulators/src/index.ts'
import type { TestService } from '../../harness.ts'
import { scope } from '../../peers/google.ts'
import { authUrl, newClient, resultOf, type Seen, type Visitor, visitorOf } from './hosted-visitor.ts'

export const calendarScope = scope('calendar')
export const mailScope = 'https://mail.google.com/'

/** An application that its users sign in to with Google. */
export async function googleClient(
  service: TestService,
  { client }: GoogleSimulator,
  scope: string[] = [calendarScope],
): Promise<{ id: string; key: string }> {
  const application = await newClient(service)
  const settings = { client_id: client.id, client_secret: client.secret }
  const made = await service.call('POST', '/v3/connectors', {
    key: application.key,
    body: { provider: 'google', settings, scope },
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return application
}

/** Consents at the simulated Google, and returns the address that Google redirects to. */
export async function consent(
  url: string,
  { account, decision = 'allow', without = [] }: { account: string; decision?: string; without?: readonly string[] },
): Promise<string> {
  const requested = await fetch(url, { redirect: 'manual' })
  if (requested.status === 302) return requested.headers.get('location') ?? ''
  const page = await requested.text()
  const scopes = [...page.matchAll(/name="scope" value="([^"]*)"/g)].map(([, scope = '']) => scope)
  const form = new URLSearchParams({ account, decision })
  for (const scope of scopes.filter((each) => !without.includes(each))) form.append('scope', scope)
  const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
  if (answer.status !== 302) throw new Error(`no consent: ${answer.status} ${await answer.text()}`)
  return answer.headers.get('location') ?? ''
}

interface SignIn {
  account: string
  query?: Record<string, string>
  visitor?: Visitor
  without?: readonly string[]
  decision?: string
}

/** A whole sign-in, up to the application's redirect URI. */
export async function signIn(service: TestService, clientId: string, how: SignIn): Promise<Record<string, string>> {
  const visitor = how.visitor ?? visitorOf(service)
  const left = await visitor.get(authUrl(clientId, { provider: 'google', ...how.query }))
  const returned: Seen = await visitor.get(await consent(left.location ?? '', how))
  return resultOf(returned.location)
}

/** Exchanges a code with the key of the application. */
export const trade = (service: TestService, client: { id: string; key: string }, code: string, more: object = {}) =>
  service.call('POST', '/v3/connect/token', {
    key: null,
    body: {
      client_id: client.id,
      client_secret: client.key,
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://app.test/cb',
      ...more,
    },
  })
