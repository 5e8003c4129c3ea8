// The page at `/`: lists the accounts, and explains how to point a service at this Exchange.
import { html } from '../shared/html.ts'
import { type RawAnswer, textAnswer } from '../shared/http.ts'
import { isRoom } from './calendar/places.ts'
import type { World } from './model.ts'

export async function welcomeAnswer(world: World): Promise<RawAnswer> {
  const people = world.accounts().filter((account) => !isRoom(world, account))
  const accounts = people.map(
    ({ name, email, domain, username }) => html`<li>${name} &lt;${email}&gt; (${domain}\\${username})</li>`,
  )
  const page = html`<!DOCTYPE html>
<html lang="en">
  <meta charset="utf-8">
  <title>Simulated Exchange</title>
  <h1>Simulated Exchange</h1>
  <p>EWS at <code>${world.url}/EWS/Exchange.asmx</code>, Autodiscover at <code>${world.url}/autodiscover/</code>.
    Everything is in memory and gone when this process ends.</p>
  <h2>Accounts</h2>
  <ul>${accounts}</ul>
</html>`
  return textAnswer(200, page.toString())
}
