// The page at `/`: lists the accounts, and explains how to point a connector at this Zoom.
import { html } from '../shared/html.ts'
import { textAnswer, type WebRoute } from '../shared/http.ts'
import type { Zoom } from './zoom.ts'

export function welcomeRoute(
  { url, accounts }: Zoom,
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
  <title>Simulated Zoom</title>
  <h1>Simulated Zoom</h1>
  <p>Sign-in and meetings at <code>${url}</code>, in place of <code>https://zoom.us</code> and
    <code>https://api.zoom.us</code>. Everything is in memory and gone when this process ends.</p>
  <h2>Accounts</h2>
  <ul>${people}</ul>
  <h2>Connector</h2>
  <p>Client id <code>${client.id}</code>, client secret <code>${client.secret}</code>, any redirect URI.</p>
</html>`
      return textAnswer(200, page.toString())
    },
  }
}
