/** Signatures: sanitized, at most ten for each grant, and used where a message refers to one. */

import { oneEngineFor } from '@waypost/testing/engines'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { safeSignature } from '../../../src/sending/compose/signature-html.ts'
import { contentOf, createFakeSending } from '../../api/pipeline/fake-sending.ts'
import { connectMail, type MailService, openMailService } from '../../api/pipeline/mail-provider.ts'
import type { CallOptions } from '../../harness.ts'

const clock = testClock(1_790_000_000_000)

describe.each(oneEngineFor(import.meta.url))('signatures on %s', (engine) => {
  const sending = createFakeSending()
  let world: MailService
  let key: string
  let at: string
  let count = 0
  beforeAll(async () => {
    world = await openMailService({ engine, overrides: { sending, clock } })
    key = (await world.service.createApplication()).key
  })
  beforeEach(async () => {
    sending.reset()
    at = `/v3/grants/${await connectMail(world.service, `user${++count}@mail.test`, key)}`
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const call = (method: string, path = '', options?: CallOptions) =>
    world.service.call(method, `${at}/signatures${path}`, { key, ...options })
  const create = async (name: string, body = `<p>${name}</p>`) => {
    clock.advance(1000)
    return call('POST', '', { body: { name, body } })
  }

  test('are created, read, changed and deleted', async () => {
    const made = await create('Work')
    const { id, created_at } = made.body.data
    expect(made.status).toBe(201)
    expect(made.body.data).toEqual({
      id,
      grant_id: at.split('/').at(-1),
      object: 'signature',
      name: 'Work',
      body: '<p>Work</p>',
      created_at,
      updated_at: created_at,
    })
    expect((await call('GET', `/${id}`)).body.data).toEqual(made.body.data)
    clock.advance(5000)
    const changed = await call('PUT', `/${id}`, { body: { body: '<b>New</b>' } })
    expect(changed.body.data).toEqual({ ...made.body.data, body: '<b>New</b>', updated_at: created_at + 5 })
    expect((await call('PATCH', `/${id}`, { body: { name: 'Home' } })).body.data.name).toBe('Home')
    expect((await call('DELETE', `/${id}`)).body).toEqual({ request_id: expect.any(String) })
    for (const method of ['GET', 'DELETE']) expect((await call(method, `/${id}`)).status).toBe(404)
    expect((await call('PUT', `/${id}`, { body: { name: 'x' } })).status).toBe(404)
  })

  test('are listed in order of creation, page by page', async () => {
    for (const name of ['a', 'b', 'c']) await create(name)
    const first = await call('GET', '?limit=2&select=name')
    expect(first.body.data).toEqual([{ name: 'a' }, { name: 'b' }])
    const next = await call('GET', `?limit=2&page_token=${first.body.next_cursor}`)
    expect(next.body.data.map(({ name }: { name: string }) => name)).toEqual(['c'])
    expect(next.body.next_cursor).toBeUndefined()
  })

  test('are limited to ten for each grant, also if created concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => create(`s${index}`)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(6).fill(400)])
    expect((await call('GET')).body.data).toHaveLength(10)
    const { id } = (await call('GET')).body.data[0]
    await call('DELETE', `/${id}`)
    expect((await create('again')).status).toBe(201)
  })

  test('are stored without unsafe HTML, and rejected if nothing remains', async () => {
    const made = await create('Work', '<p onclick="x()">Hi<script>alert(1)</script></p>')
    expect(made.body.data.body).toBe('<p>Hi</p>')
    const empty = await create('Empty', '<script>alert(1)</script>')
    expect([empty.status, Object.keys(empty.body.error.validation_errors)]).toEqual([400, ['body']])
  })

  test('are limited to 100 KB, counted in bytes', async () => {
    expect((await create('Large', 'x'.repeat(102_400))).status).toBe(201)
    expect((await create('Larger', 'x'.repeat(102_401))).status).toBe(400)
    expect((await create('Umlauts', 'ü'.repeat(60_000))).status).toBe(400)
  })

  test.for([
    ['name', { body: 'x' }],
    ['body', { name: 'x' }],
    ['name', { name: '', body: 'x' }],
    ['name', { name: 'a\nb', body: 'x' }],
    ['body', { name: 'x', body: '' }],
  ])('without a valid %s are rejected: %j', async ([field, body]) => {
    const answer = await call('POST', '', { body })
    expect([answer.status, Object.keys(answer.body.error.validation_errors)]).toEqual([400, [field]])
  })

  test('of another grant are not found and cannot be used', async () => {
    const { id } = (await create('Mine')).body.data
    at = `/v3/grants/${await connectMail(world.service, `other${count}@mail.test`, key)}`
    expect((await call('GET', `/${id}`)).status).toBe(404)
    expect((await call('GET')).body.data).toEqual([])
    const body = { to: [{ email: 'bob@mail.test' }], signature_id: id }
    const used = await world.service.call('POST', `${at}/messages/send`, { key, body })
    expect([used.status, used.body.error.type]).toEqual([403, 'forbidden'])
    const draft = await world.service.call('POST', `${at}/drafts`, { key, body })
    expect(draft.status).toBe(403)
    expect(sending.sends).toEqual([])
  })

  test('are added to a message, a draft and a sent draft, but never to plain text', async () => {
    const { id } = (await create('Work')).body.data
    const body = { to: [{ email: 'bob@mail.test' }], signature_id: id }
    const post = (path: string, more = {}) =>
      world.service.call('POST', `${at}${path}`, { key, body: { ...body, ...more } })
    await post('/messages/send')
    expect(contentOf(sending.sends[0])).toMatchObject({ signature: '<p>Work</p>' })
    expect(contentOf(sending.sends[0]).request.signature_id).toBeUndefined()
    await post('/messages/send', { is_plaintext: true })
    expect(contentOf(sending.sends[1]).signature).toBeUndefined()
    const draft = await post('/drafts')
    expect(sending.drafted[0]?.signature).toBe('<p>Work</p>')
    await world.service.call('POST', `${at}/drafts/${draft.body.data.id}`, { key, body: { signature_id: id } })
    expect(sending.sentDrafts[0]?.signature).toBe('<p>Work</p>')
  })

  test('are deleted with their grant', async () => {
    await create('Work')
    expect((await world.service.call('DELETE', at, { key })).status).toBe(200)
    expect((await call('GET')).status).toBe(404)
  })

  test('are available for every account, whatever its provider supports', async () => {
    at = `/v3/grants/${(await world.service.createGrant(`rooms${count}`, key)).id}`
    expect((await create('Rooms')).status).toBe(201)
  })
})

describe('the HTML of a signature', () => {
  test.for<[string, string, string]>([
    [
      'ordinary markup stays',
      '<table width="9"><tbody><tr><td style="color: red">A &amp; B</td></tr></tbody></table>',
      '',
    ],
    ['links stay', '<a href="https://x.test/?a=1&amp;b=2" target="_blank">x</a> <a href="mailto:a@x.test">m</a>', ''],
    ['images at an address stay', '<img src="https://x.test/l.png" alt="L" width="20">', ''],
    ['text is not markup', 'a < b &lt;script&gt;', 'a &lt; b &lt;script&gt;'],
    ['script', 'a<script>alert("</p>")</script>b', 'ab'],
    ['script in capitals', 'a<SCRIPT SRC=//evil.test></SCRIPT>b', 'ab'],
    ['a script that is not closed', 'a<script>alert(1)', 'a'],
    ['style', '<style>@import "x"</style><p>b</p>', '<p>b</p>'],
    ['frames', '<iframe src="https://x.test"></iframe><frameset><frame></frameset>b', 'b'],
    ['objects', '<object data="x"><embed src="x"></object>b<svg><script>1</script><a href="x">y</a></svg>', 'b'],
    ['forms, but not their text', '<form action="https://x.test">a<input name="p"></form>', 'a'],
    ['handlers', '<p onclick="a()" OnLoad="b()" onerror=c()>b</p>', '<p>b</p>'],
    ['addresses that run', '<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['addresses that run, hidden', '<a href=" java&#10;script&colon;alert(1)">x</a>', '<a>x</a>'],
    ['addresses that carry', '<a href="data:text/html,x">x</a>', '<a>x</a>'],
    ['images that carry themselves', 'a<img src="data:image/png;base64,AAAA" alt="x">b', 'ab'],
    ['images without an address', 'a<img alt="x">b<img src="cid:x"><img src="/x.png">', 'ab'],
    [
      'styles that load',
      '<p style="color:red; background:url(x); width:expression(1); x:\\75rl(y)">b</p>',
      '<p style="color:red">b</p>',
    ],
    ['comments', 'a<!-- [if mso]><script>x</script><![endif] -->b', 'ab'],
    ['meta and base', '<meta http-equiv="refresh" content="0"><base href="//x"><link rel="x">b', 'b'],
    ['elements that are not closed are closed', '<p><b>x', '<p><b>x</b></p>'],
    [
      'quotes cannot end an attribute',
      `<p title='"><script>x</script>'>b</p>`,
      '<p title="&quot;&gt;&lt;script&gt;x&lt;/script&gt;">b</p>',
    ],
    ['templates', '<template><p>x</p></template><noscript><p title="</noscript><img src=x>">b</noscript>', ''],
  ])('%s', ([name, html, safe]) => {
    expect(safeSignature(html)).toBe(name.endsWith('stay') || name.endsWith('stays') ? html : safe)
  })

  test('does not change when sanitized again', () => {
    for (const html of ['<p>a<b>c</p>', 'a &amp;lt; b', '<a href="https://x.test/?a&b">x</a>', '<p style="a:b;c:d">']) {
      const once = safeSignature(html)
      expect(safeSignature(once)).toBe(once)
    }
  })
})
