// The pages for users: account choice with the requested scopes, and errors that are not sent to the client.
import { html } from '../../shared/html.ts'
import { accountChoices, page } from '../../shared/oauth/page.ts'
import type { SimulatedYahooAccount } from '../account.ts'
import type { YahooClient } from './oauth.ts'

const titles: Readonly<Record<string, string>> = {
  openid: 'Know who you are',
  email: 'See your e-mail address',
  profile: 'See your name and profile',
  'mail-r': 'Read your mail',
  'mail-w': 'Read, write, send and delete your mail',
}

export interface ConsentPage {
  /** The target of the form: the URL of the request. */
  readonly action: URL
  readonly client: YahooClient
  readonly scopes: readonly string[]
  readonly accounts: readonly SimulatedYahooAccount[]
  readonly chosen: SimulatedYahooAccount | undefined
}

export function consentPage({ action, client, scopes, accounts, chosen }: ConsentPage): Promise<string> {
  const name = client.name ?? client.id
  const permissions = scopes.map((scope) => html`<li>${titles[scope] ?? scope}</li>`)
  return page(
    'Simulated Yahoo',
    html`<h1>Sign in with Yahoo</h1>
<p>This is a simulated Yahoo.</p>
<form method="post" action="${action.pathname}${action.search}">
<fieldset><legend>Choose an account</legend>${accountChoices(accounts, chosen ?? accounts[0])}</fieldset>
<p><strong>${name}</strong> would like to:</p>
<ul>${permissions}</ul>
<button type="submit" name="decision" value="deny">Not now</button>
<button type="submit" name="decision" value="allow">Agree</button>
</form>`,
  )
}

export function errorPage(message: string): Promise<string> {
  return page('Simulated Yahoo', html`<h1>Oops! Yahoo is having some trouble</h1><p>Developers: ${message}</p>`)
}
