/** The same mail at Google. */
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { startGoogle } from '../../packages/simulators/src/index.ts'
import { quick } from '../figures.ts'
import { longHtml, longReferences, manyAddresses, manyHeaders, manyParts } from './mails.ts'
import { type Lag, startMeasured } from './measure.ts'

const root = 'https://www.googleapis.com/auth/'
const scopes = ['openid', `${root}userinfo.email`, `${root}userinfo.profile`, `${root}gmail.modify`, `${root}calendar`]

const many = quick ? 10 : 40
const raw = quick ? 5 : 20

export async function googleCases(_: MailServer): Promise<Record<string, Lag>> {
  await using simulator = await startGoogle()
  await using node = await startMeasured({ env: { WAYPOST_GOOGLE_URL: simulator.url }, ca: [] })
  const { id, secret } = simulator.client
  await node.call('POST', '/v3/connectors', { provider: 'google', settings: { client_id: id, client_secret: secret } })
  const figures: Record<string, Lag> = {}
  const run = async (name: string, sources: readonly string[], query = ''): Promise<void> => {
    const email = `g${Object.keys(figures).length}@example.com`
    const account = simulator.addAccount({ email, name: 'Lag' })
    for (const source of sources) account.mail.deliver(source)
    const { refreshToken } = simulator.grantToken(email, scopes)
    const settings = { refresh_token: refreshToken }
    const grant = (await node.call('POST', '/v3/connect/custom', { provider: 'google', settings })).data.id
    figures[`google: ${name}`] = await node.measure(() =>
      node.call('GET', `/v3/grants/${grant}/messages?limit=50${query}`),
    )
  }
  await run(
    `9,000 parts, ${many} of them`,
    Array.from({ length: many }, () => manyParts(9_000)),
  )
  await run('50,000 addresses', [manyAddresses(50_000)])
  await run(
    '1 MB of references, 20 of them',
    Array.from({ length: 20 }, () => longReferences(1_000_000)),
  )
  await run('100,000 headers', [manyHeaders(100_000)], '&fields=include_headers')
  await run(
    `${many} × 1 MB of HTML`,
    Array.from({ length: many }, () => longHtml(1024 * 1024)),
  )
  await run(
    `${raw} × 1 MB raw`,
    Array.from({ length: raw }, () => longHtml(1024 * 1024)),
    '&fields=raw_mime',
  )
  const account = simulator.addAccount({ email: 'events@example.com', name: 'Lag' })
  const person = (at: number) => ({ email: `p${at}@example.com`, displayName: `Person ${at}` })
  for (let at = 0; at < 50; at++) {
    account.calendar.addEvent({
      summary: `Event ${at}`,
      description: 'x'.repeat(8_000),
      start: { dateTime: `2026-06-0${1 + (at % 9)}T10:00:00Z` },
      end: { dateTime: `2026-06-0${1 + (at % 9)}T11:00:00Z` },
      attendees: Array.from({ length: 200 }, (_, each) => person(each)),
    })
  }
  const { refreshToken } = simulator.grantToken('events@example.com', scopes)
  const made = { provider: 'google', settings: { refresh_token: refreshToken } }
  const grant = (await node.call('POST', '/v3/connect/custom', made)).data.id
  figures['google: 50 events with 200 guests'] = await node.measure(() =>
    node.call('GET', `/v3/grants/${grant}/events?calendar_id=primary&limit=50`),
  )
  return figures
}
