// The page at `/`: lists the accounts, and explains how to point a connector at this Yahoo.
import { html } from '../shared/html.ts'
import { textAnswer, type WebRoute } from '../shared/http.ts'
import type { OAuth } from './oauth/oauth.ts'

export function welcomeRoute(
  { url, accounts }: OAuth,
  client: { readonly id: string; readonly secret: string },
): WebRoute {
  return {
    method: 'GET',
    path: '/',
    async handle() {
      const people = accounts.list().map(({ email, name }) => html`<li>${name} &lt;${email}&gt;</li>`)
      const page = html`<!DOCTYPE html>
<html lang="en">
  <meta charset="utf-8">
  <title>Simulated Yahoo</title>
  <h1>Simulated Yahoo</h1>
  <p>Sign-in at <code>${url}</code>, in place of <code>https://api.login.yahoo.com</code>. Everything is in memory and gone when
    this process ends. There is no mail here: an IMAP server that asks <code>${url}/oauth2/introspect</code> about tokens
    stands for Yahoo’s.</p>
  <h2>Accounts</h2>
  <ul>${people}</ul>
  <h2>Connector</h2>
  <p>Client id <code>${client.id}</code>, client secret <code>${client.secret}</code>, any redirect URI.</p>
</html>`
      return textAnswer(200, page.toString())
    },
  }
}
