/** Texts of hosted sign-in: the user's language, hints for each provider, and error pages. */

import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServerApp } from '../../../src/create-app.ts'
import { openService, type TestService } from '../../harness.ts'
import { rightToLeft } from '../../pseudo-language.ts'
import { authUrl, fieldsOf, newClient, type Seen, type Visitor, visitorOf } from './hosted-visitor.ts'

let service: TestService
const clock = testClock()
beforeAll(async () => {
  service = await openService({
    overrides: {
      clock,
      findMailExchangers: async (domain) =>
        ({ 'work.test': ['work-test.mail.protection.outlook.com'], 'team.test': ['aspmx.l.google.com'] })[domain] ?? [],
      findService: async () => undefined,
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

let client: { id: string; key: string }
let visitor: Visitor
beforeEach(async () => {
  client = await newClient(service)
  visitor = visitorOf(service)
})
const connect = async (...kinds: string[]): Promise<void> => {
  for (const provider of kinds) {
    const oauth = ['google', 'microsoft'].includes(provider)
    const settings = oauth ? { settings: { client_id: 'id', client_secret: 'secret' } } : {}
    const made = await service.call('POST', '/v3/connectors', { key: client.key, body: { provider, ...settings } })
    expect(made.status).toBe(201)
  }
}
/** The first page of a sign-in, and its address. */
async function first(query: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const begun = await visitor.get(authUrl(client.id, query), headers)
  return { page: begun.location ?? '', seen: await visitor.get(begun.location ?? '', headers) }
}

describe('the language', () => {
  beforeEach(() => connect('imap', 'google'))

  test("is the browser's, and is declared on the page", async () => {
    const { seen } = await first({}, { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' })
    expect(seen.text).toContain('<html lang="de" dir="ltr">')
    expect(seen.text).toContain('Verbinden Sie Ihr Konto mit Acme')
    expect(seen.text).toContain('Weiter mit Google')
    expect(seen.headers.get('content-language')).toBe('de')
    expect(seen.headers.get('vary')).toContain('Accept-Language')
  })

  test('is the one that the application requests, through all steps', async () => {
    const german = { 'accept-language': 'de' }
    const { page, seen } = await first({ ui_locales: 'tlh ja-JP', provider: 'imap' }, german)
    expect(seen.text).toContain('<html lang="ja"')
    const wrong = await visitor.post(page, { ...fieldsOf(seen.text), email: 'nobody' }, german)
    expect(wrong.text).toContain('メールアドレスの形式が正しくありません。')
    expect(wrong.text).toMatch(/<title>エラー: /)
  })

  test('can be chosen on the page, without script, and persists; the step stays the same', async () => {
    const { page } = await first({ provider: 'imap,google', login_hint: 'ada@aol.com' }, { 'accept-language': 'fr' })
    const form = await visitor.get(`${page}?provider=imap&vendor=aol`)
    const link = /href="([^"]*ui_locales=it)"/.exec(form.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(link).toContain('provider=imap&vendor=aol')
    const chosen = await visitor.get(link)
    expect(chosen.text).toContain('lang="it" hreflang="it" dir="ltr" aria-current="true"')
    expect(chosen.text).toContain('Password per le app')
    expect((await visitor.get(page)).text).toContain('Colleghi il Suo account a Acme')
    expect((await visitor.get(`${page}?ui_locales=xx`)).text).toContain('<html lang="it"')
  })

  test("does not change the application's own texts", async () => {
    await service.call('PATCH', '/v3/applications', {
      key: client.key,
      body: {
        hosted_authentication: { title: 'Own title', subtitle: 'Own words', terms_of_service_url: 'https://a.test' },
      },
    })
    const { seen } = await first({ ui_locales: 'pl' })
    expect(seen.text).toMatch(/<h1>Own title<\/h1><p class="quiet">Own words</)
    expect(seen.text).toContain('Warunki korzystania')
  })

  test('can be right to left', async () => {
    const app = createServerApp(service.services, { languages: [rightToLeft] })
    const own = visitorOf({ ...service, app })
    const begun = await own.get(authUrl(client.id, { ui_locales: 'ar' }))
    const { text } = await own.get(begun.location ?? '')
    expect(text).toContain('<html lang="ar-XB" dir="rtl">')
    expect(text).toContain('\u2068Google\u2069')
    // Everything on the page but names is in the catalog.
    const words = text
      .replace(/<style[\s\S]*?<\/style>|<title>|<[^>]*>/g, '\n')
      .split('\n')
      .map((line) => line.trim())
    expect(words.filter((line) => /\p{L}/u.test(line) && !line.startsWith('\u202e⟦'))).toEqual(
      expect.arrayContaining(['Acme']),
    )
    expect(words.filter((line) => /connect|continue|account/i.test(line) && !line.includes('⟦'))).toEqual([])
  })
})

describe('an account that accepts no password', () => {
  const formFor = async (email: string, query: Record<string, string> = {}): Promise<Seen & { page: string }> => {
    const { page, seen } = await first({ provider: 'imap', login_hint: email, ...query })
    return { ...seen, page }
  }

  test.each(['ada@outlook.com', 'ada@hotmail.de', 'ada@live.com'])(
    'such as %s is directed to its provider before the user types one',
    async (email) => {
      await connect('imap', 'microsoft')
      const { text, page } = await formFor(email)
      expect(text).toContain('Outlook no longer accepts passwords from other apps.')
      expect(text).not.toContain('type="password"')
      expect(text).not.toContain('My mailbox is not at')
      const link = /class="button microsoft" href="([^"]*)"/.exec(text)?.[1] ?? ''
      expect(link).toBe(`${page}?provider=microsoft`.replace('?provider=imap', ''))
      expect((await visitor.get(link)).location).toMatch(/^https:\/\/login\.microsoftonline\.com\//)
    },
  )

  test('shows whom to contact if the application lacks the provider', async () => {
    await connect('imap', 'google')
    const { text, page } = await formFor('ada@outlook.com')
    expect(text).toContain('Please ask the people who run Acme to set up sign-in with Outlook.')
    expect(text).not.toMatch(/type="password"|class="button/)
    // A provider that is not set up is not used.
    expect((await visitor.get(`${page}?provider=microsoft`)).location).toBeUndefined()
  })

  test('is not directed to its provider if the application requested scopes of another one', async () => {
    await connect('imap', 'microsoft')
    const { text } = await formFor('ada@outlook.com', { scope: 'x' })
    expect(text).toContain('Please ask the people who run Acme')
  })

  test('can be on another server if only its mail passes through the provider', async () => {
    await connect('imap', 'microsoft')
    const { text, page } = await formFor('ada@work.test')
    expect(text).toContain('My mailbox is not at Outlook')
    const all = await visitor.get(`${page}?provider=imap&password=1`)
    expect(fieldsOf(all.text)).toMatchObject({ imap_password: '', email: 'ada@work.test' })
  })

  test('on Exchange Online is treated the same', async () => {
    await connect('ews', 'microsoft')
    const { seen } = await first({ provider: 'ews', login_hint: 'ada@work.test' })
    expect(seen.text).toContain('Continue with Microsoft')
    expect(seen.text).not.toContain('type="password"')
  })

  test('on the form for Exchange leads users of Microsoft 365 to Microsoft with a link', async () => {
    await connect('ews', 'microsoft')
    const { seen } = await first({ provider: 'ews', login_hint: 'ada@own-server.test' })
    expect(seen.text).toContain('type="password"')
    expect(seen.text).toContain('Do you use Microsoft 365?')
    const link = /<a class="button microsoft" href="([^"]+)">.*?<span>Continue with Microsoft</.exec(seen.text)?.[1]
    expect(new URL(link ?? '', 'http://x').search).toBe('?provider=microsoft')
    const led = await visitor.get(link ?? '')
    expect(led.location).toMatch(/^https:\/\/login\.microsoftonline\.com\//)
  })

  test('on the form for Exchange mentions Microsoft 365 only if users can get there', async () => {
    await connect('ews')
    const { seen } = await first({ provider: 'ews', login_hint: 'ada@own-server.test' })
    expect(seen.text).toContain('that your organization runs itself')
    expect(seen.text).not.toMatch(/Microsoft 365|with Microsoft/)
  })

  test.each(['ada@gmail.com', 'ada@team.test'])(
    'but an app password, such as %s, is offered both ways, the easy one first',
    async (email) => {
      await connect('imap', 'google')
      const { text } = await formFor(email)
      expect(text.indexOf('Continue with Google')).toBeGreaterThan(0)
      expect(text.indexOf('Continue with Google')).toBeLessThan(text.indexOf('type="password"'))
      expect(text).toContain('https://myaccount.google.com/apppasswords')
      expect(text).toContain('two-step verification')
    },
  )

  test('but an app password shows how to create one if there is no other way', async () => {
    await connect('imap')
    const { text } = await formFor('ada@gmail.com')
    expect(text).not.toContain('Continue with Google')
    expect(text).toContain('https://myaccount.google.com/apppasswords')
  })
})

describe('an error page', () => {
  const german = { 'accept-language': 'de', accept: 'text/html' }
  const idIn = (text: string): string | undefined => /<code dir="ltr">([0-9a-f-]{36})</.exec(text)?.[1]

  test('is in the language of the browser, and has the request id', async () => {
    const seen = await visitor.get(authUrl('nobody'), german)
    expect([seen.status, seen.text.includes('<html lang="de"')]).toEqual([400, true])
    expect(seen.text).toContain('Der Link, der Sie hierher geführt hat, ist nicht richtig eingerichtet.')
    expect(idIn(seen.text)).toBe(seen.headers.get('x-request-id'))
    expect(service.logs()).toContain(`"request_id":"${idIn(seen.text)}"`)
  })

  test("has the application's branding as soon as the application is known", async () => {
    await connect('imap', 'google')
    await service.call('PATCH', '/v3/applications', {
      key: client.key,
      body: { branding: { name: 'Bücherei <i>' }, hosted_authentication: { color_primary: '#123456' } },
    })
    const strange = await visitor.get(authUrl(client.id, { redirect_uri: 'https://evil.test' }), german)
    expect([strange.status, strange.location]).toEqual([400, undefined])
    const { page } = await first({ ui_locales: 'nl' })
    await visitor.get(`${page}?cancel=1`)
    const used = await visitor.get(page, german)
    expect(used.status).toBe(400)
    expect(used.text).toContain('Deze aanmelding is verlopen, al voltooid')
    expect(used.text).toContain('Ga terug naar Bücherei &lt;i&gt; en begin opnieuw.')
    for (const { text } of [strange, used]) expect(text).toContain('--fill:#123456')
    await service.call('PATCH', `/v3/admin/applications/${client.id}`, { admin: true, body: { blocked: true } })
    const blocked = await visitor.get(authUrl(client.id), german)
    expect([blocked.status, blocked.text.includes('ist zurzeit gesperrt')]).toEqual([423, true])
  })

  test.each([
    ['GET', '/v3/connect/login', 404, 'Seite nicht gefunden'],
    ['GET', '/v3/connect/login/x/y', 404, 'Seite nicht gefunden'],
    ['GET', '/v3/connect/login/nothing', 400, 'Diese Anmeldung ist abgelaufen'],
    ['POST', '/v3/connect/auth', 405, 'Diese Seite lässt sich so nicht öffnen.'],
    ['DELETE', '/v3/connect/callback', 405, 'Diese Seite lässt sich so nicht öffnen.'],
    ['GET', '/v3/connect/callback?state=x', 400, 'Diese Anmeldung ist abgelaufen'],
  ])('is shown for %s %s: %i', async (method, path, status, words) => {
    const answer = await service.app.request(path, { method, headers: german })
    const text = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
    expect(text).toContain(words)
    expect(idIn(text)).toBe(answer.headers.get('x-request-id'))
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    if (status === 405) expect(answer.headers.get('allow')).toBe('GET')
    // Programs get JSON as everywhere.
    const json = await service.app.request(path, { method, headers: { accept: 'application/json' } })
    expect([json.status, json.headers.get('content-type')]).toEqual([status, 'application/json'])
  })

  test('is shown if the store fails, without details', async () => {
    const { database } = service.services.storage
    const get = database.get
    database.get = async () => Promise.reject(new Error('disk CANARY'))
    try {
      const seen = await visitor.get(authUrl(client.id), german)
      expect(seen.status).toBeGreaterThanOrEqual(500)
      expect(seen.text).toContain('Bei uns ist etwas schiefgegangen.')
      expect(seen.text).not.toContain('CANARY')
    } finally {
      database.get = get
    }
  })
})
