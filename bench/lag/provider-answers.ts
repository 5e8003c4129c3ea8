/** Hostile responses of Exchange, Microsoft and Google. */
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { startExchange, startGoogle, startMicrosoft } from '../../packages/simulators/src/index.ts'
import { startHostileProxy } from './hostile-proxy.ts'
import { type Lag, type Measured, startMeasured } from './measure.ts'

const many = (count: number, each: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => each(at)).join('')

const soap = (inner: string): string =>
  '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:m="http://schemas.microsoft.com/exchange/services/2006/messages" ' +
  `xmlns:t="http://schemas.microsoft.com/exchange/services/2006/types"><s:Body>${inner}</s:Body></s:Envelope>`
const items = (inner: string): string =>
  soap(
    `<m:FindItemResponse><m:ResponseMessages><m:FindItemResponseMessage ResponseClass="Success"><m:ResponseCode>NoError</m:ResponseCode><m:RootFolder IncludesLastItemInRange="true"><t:Items>${inner}</t:Items></m:RootFolder></m:FindItemResponseMessage></m:ResponseMessages></m:FindItemResponse>`,
  )

const exchangeAnswers = (): Record<string, string> => ({
  '190,000 elements': items('<t:CalendarItem><t:Subject>x</t:Subject></t:CalendarItem>'.repeat(95_000)),
  '1,900 items of 100 elements': items(
    many(1_900, (at) => `<t:CalendarItem><t:ItemId Id="${at}"/>${'<t:Body>x</t:Body>'.repeat(98)}</t:CalendarItem>`),
  ),
  'a million elements': items('<t:x/>'.repeat(1_000_000)),
  '100,000 response messages': soap(
    `<m:FindItemResponse><m:ResponseMessages>${'<m:FindItemResponseMessage/>'.repeat(100_000)}</m:ResponseMessages></m:FindItemResponse>`,
  ),
  '16 MB of references': items(`<t:CalendarItem><t:Subject>${'&lt;'.repeat(4_000_000)}</t:Subject></t:CalendarItem>`),
  '500,000 attributes': items(`<t:x ${many(500_000, (at) => `a${at}="" `)}/>`),
  '300,000 namespaces': items(`<t:x ${many(300_000, (at) => `xmlns:n${at}="u" `)}/>`),
  '100,000 levels': items('<t:x>'.repeat(100_000)),
  'a text of 20 MB': items(`<t:CalendarItem><t:Subject>${'x'.repeat(20_000_000)}</t:Subject></t:CalendarItem>`),
})

const jsonAnswers = (list: string, item: (at: number) => string): Record<string, string> => ({
  '7 MB of items': `{"${list}":[${many(20_000, (at) => `${at ? ',' : ''}${item(at)}`)}]}`,
  'a million numbers': `{"${list}":[${'0,'.repeat(1_000_000)}0]}`,
  '100,000 numbers': `{"${list}":[${'0,'.repeat(100_000)}0]}`,
  '400,000 keys': `{${many(400_000, (at) => `"k${at}":0,`)}"${list}":[]}`,
  'a million levels': `{"${list}":[${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}]}`,
  'a text of 7 MB in escapes': `{"${list}":[],"a":"${'\\n'.repeat(3_500_000)}"}`,
})

const range = `start=${Date.UTC(2026, 5, 1) / 1000}&end=${Date.UTC(2026, 6, 1) / 1000}`
const listing = (grant: string): string => `/v3/grants/${grant}/events?calendar_id=primary&limit=50&${range}`

interface Case {
  name: string
  node: Measured
  grant: string
  set(body: string | undefined): void
}

async function measureAll({ name, node, grant, set }: Case, answers: Record<string, string>) {
  const figures: Record<string, Lag> = {}
  await node.call('GET', listing(grant))
  for (const [what, body] of Object.entries(answers)) {
    set(body)
    const reported = (error: Error): void => {
      if (!/: (504|400) /.test(error.message)) console.error(name, what, error.message.slice(0, 200))
    }
    figures[`${name}: ${what}`] = await node.measure(() => node.call('GET', listing(grant)).catch(reported))
    set(undefined)
  }
  return figures
}

async function exchange(): Promise<Record<string, Lag>> {
  await using simulator = await startExchange()
  await using proxy = await startHostileProxy(simulator.url)
  const [email, password] = ['lag@exchange.example', 'simulated-password']
  simulator.addAccount({ email, password, name: 'Lag' })
  await using node = await startMeasured({ env: { WAYPOST_EWS_URL: proxy.url }, ca: [] })
  await node.call('POST', '/v3/connectors', { provider: 'ews' })
  const settings = { ews_username: email, ews_password: password, ews_host: 'mail.exchange.example', email }
  const grant = (await node.call('POST', '/v3/connect/custom', { provider: 'ews', settings })).data.id
  const isFor = (_: string, body: string): boolean => body.includes('FindItem')
  const set = (body?: string): void => proxy.set(body === undefined ? undefined : { isFor, type: 'text/xml', body })
  // Awaited here: the node is disposed of when this function ends.
  return await measureAll({ name: 'exchange', node, grant, set }, exchangeAnswers())
}

async function microsoft(): Promise<Record<string, Lag>> {
  await using simulator = await startMicrosoft()
  await using proxy = await startHostileProxy(simulator.url)
  const email = 'lag@contoso.example'
  simulator.addAccount({ email, name: 'Lag' })
  await using node = await startMeasured({ env: { WAYPOST_MICROSOFT_URL: proxy.url }, ca: [] })
  const scopes = ['openid', 'profile', 'email', 'offline_access', 'User.Read', 'Calendars.ReadWrite']
  const grant = await byToken(node, 'microsoft', { simulator, email, scopes })
  const isFor = (target: string): boolean => target.includes('calendarView')
  const set = (body?: string): void =>
    proxy.set(body === undefined ? undefined : { isFor, type: 'application/json', body })
  const at = '{"dateTime":"2026-06-10T09:00:00","timeZone":"UTC"}'
  const item = (id: number): string =>
    `{"id":"${id}","subject":"x","start":${at},"end":${at},"bodyPreview":"${'x'.repeat(200)}"}`
  // Awaited here: the node is disposed of when this function ends.
  return await measureAll({ name: 'microsoft', node, grant, set }, jsonAnswers('value', item))
}

async function google(): Promise<Record<string, Lag>> {
  await using simulator = await startGoogle()
  await using proxy = await startHostileProxy(simulator.url)
  const email = 'lag@example.com'
  simulator.addAccount({ email, name: 'Lag' })
  await using node = await startMeasured({ env: { WAYPOST_GOOGLE_URL: proxy.url }, ca: [] })
  const root = 'https://www.googleapis.com/auth/'
  const scopes = ['openid', `${root}userinfo.email`, `${root}userinfo.profile`, `${root}calendar`]
  const grant = await byToken(node, 'google', { simulator, email, scopes })
  const isFor = (target: string): boolean => /\/events\?/.test(target)
  const set = (body?: string): void =>
    proxy.set(body === undefined ? undefined : { isFor, type: 'application/json', body })
  const at = '{"dateTime":"2026-06-10T09:00:00Z"}'
  const item = (id: number): string =>
    `{"id":"e${id}","summary":"x","status":"confirmed","start":${at},"end":${at},"description":"${'x'.repeat(200)}"}`
  // Awaited here: the node is disposed of when this function ends.
  return await measureAll({ name: 'google answers', node, grant, set }, jsonAnswers('items', item))
}

interface TokenAccount {
  simulator: {
    client: { id: string; secret: string }
    grantToken(email: string, scopes: readonly string[]): { refreshToken: string }
  }
  email: string
  scopes: readonly string[]
}

async function byToken(node: Measured, provider: string, { simulator, email, scopes }: TokenAccount): Promise<string> {
  const { id, secret } = simulator.client
  await node.call('POST', '/v3/connectors', { provider, settings: { client_id: id, client_secret: secret } })
  const settings = { refresh_token: simulator.grantToken(email, scopes).refreshToken }
  return (await node.call('POST', '/v3/connect/custom', { provider, settings })).data.id
}

export const providerAnswersCases = async (_: MailServer): Promise<Record<string, Lag>> => ({
  ...(await exchange()),
  ...(await microsoft()),
  ...(await google()),
})
