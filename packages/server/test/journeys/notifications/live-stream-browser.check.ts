/** The live stream in a browser, on a page of another origin, with the SDK. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { sharedBrowser } from '@waypost/testing/peers/browser'
import { expect, test } from 'vitest'
import { issueAccessToken } from '../../../src/grants/access-tokens.ts'
import { openService } from '../../harness.ts'

const sdk = fileURLToPath(new URL('../../../../sdk/src', import.meta.url))

/** A site with an empty page and the modules of the SDK. */
async function openSite(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (!/^\/(generated\/)?[a-z-]+\.ts$/.test(path)) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Site</title>')
      return
    }
    readFile(`${sdk}${path}`, 'utf8').then(
      (text) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(stripTypeScriptTypes(text)),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${at.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a page of a registered origin follows its grant with an access token, and resumes after a break', async () => {
  await using service = await openService()
  const address = await service.listen()
  await using site = await openSite()
  const { id: grantId } = await service.createGrant('page@mail.test')
  await service.call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Work' } })
  const tell = (title: string) =>
    service.call('POST', `/v3/grants/${grantId}/events?calendar_id=primary`, {
      body: { title, when: { time: 1_800_000_000 } },
    })
  const { body } = await service.call('GET', '/v3/applications')
  const { database, clock } = service.services.storage
  const at = { applicationId: body.data.application_id, grantId, family: 'page', now: clock.now(), revoked: false }
  const token = await database.transaction((tx) => issueAccessToken(tx, at))
  await using browser = await sharedBrowser()
  const page = await browser.newPage()
  await page.goto(site.url)
  // The cut connection of a reader: the first response ends after its first event.
  const follow = `(async () => {
    const { createWaypost } = await import('/index.ts')
    const asked = []
    const fetch = async (input, init) => {
      asked.push(init.headers.get('last-event-id'))
      const response = await window.fetch(input, init)
      if (asked.length > 1 || !response.ok) return response
      const reader = response.body.getReader()
      const text = []
      while (!text.join('').includes('data:')) text.push(new TextDecoder().decode((await reader.read()).value))
      await reader.cancel()
      const first = text.join('').split('\\n\\n').slice(0, 2).join('\\n\\n') + '\\n\\n'
      return new Response(first.replace(/retry: \\d+/, 'retry: 50'), { headers: response.headers })
    }
    const waypost = createWaypost({ baseUrl: '${address}', apiKey: '${token}', fetch })
    const titles = []
    const query = { trigger_types: ['event.created'] }
    for await (const { data } of waypost.notifications.list.stream({ query })) {
      titles.push(data.data.object.title)
      if (titles.length === 3) return { titles, resumed: asked[1] !== null }
    }
  })()`
  const attempt = `fetch('${address}/v3/notifications', {
    headers: { authorization: 'Bearer ${token}', accept: 'text/event-stream', 'last-event-id': 'x' },
  }).then(({ status }) => status, (error) => String(error))`
  expect(await page.evaluate(attempt)).toContain('Failed to fetch')
  await service.call('PATCH', '/v3/applications', { body: { idp_settings: { origins: site.url } } })
  expect(await page.evaluate(attempt)).toBe(400)
  await tell('one')
  await tell('two')
  const followed = page.evaluate(follow)
  await expect.poll(() => service.logs().split('notifications.list').length).toBeGreaterThan(2)
  await tell('three')
  expect(await followed).toEqual({ titles: ['one', 'two', 'three'], resumed: true })
})
