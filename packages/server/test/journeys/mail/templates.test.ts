/** Templates: stored for an application or a grant, rendered without running code, used in messages. */

import { ApiError } from '@waypost/platform/api-error'
import { oneEngineFor } from '@waypost/testing/engines'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseTemplate, renderTemplate } from '../../../src/sending/compose/template.ts'
import { contentOf, createFakeSending } from '../../api/pipeline/fake-sending.ts'
import { connectMail, type MailService, openMailService } from '../../api/pipeline/mail-provider.ts'
import type { CallOptions } from '../../harness.ts'

const clock = testClock(1_790_000_000_000)

describe.each(oneEngineFor(import.meta.url))('templates on %s', (engine) => {
  const sending = createFakeSending()
  let world: MailService
  let key: string
  let count = 0
  let grantAt: string
  beforeAll(async () => {
    world = await openMailService({ engine, overrides: { sending, clock } })
    key = (await world.service.createApplication()).key
  })
  beforeEach(async () => {
    sending.reset()
    grantAt = `/v3/grants/${await connectMail(world.service, `user${++count}@mail.test`, key)}`
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const call = (method: string, path: string, options?: CallOptions) =>
    world.service.call(method, path, { key, ...options })
  const draft = { name: 'Welcome', subject: 'Hi {{name}}', body: '<p>Dear {{name}}</p>' }
  const create = (at: string, changes = {}) => {
    clock.advance(1000)
    return call('POST', `${at}/templates`, { body: { ...draft, ...changes } })
  }

  test.for(['application', 'grant'])('of the %s are created, read, changed, rendered and deleted', async (level) => {
    const at = level === 'grant' ? grantAt : '/v3'
    const made = await create(at)
    const { id, created_at, app_id } = made.body.data
    expect(made.status).toBe(200)
    expect(made.body.data).toEqual({
      ...draft,
      id,
      app_id,
      grant_id: level === 'grant' ? grantAt.split('/').at(-1) : null,
      object: 'template',
      engine: 'mustache',
      created_at,
      updated_at: created_at,
    })
    const one = `${at}/templates/${id}`
    expect((await call('GET', one)).body.data).toEqual(made.body.data)
    clock.advance(5000)
    const changed = await call('PUT', one, { body: { subject: 'Hello {{name}}' } })
    expect(changed.body.data).toEqual({ ...made.body.data, subject: 'Hello {{name}}', updated_at: created_at + 5 })
    const rendered = await call('POST', `${one}/render`, { body: { variables: { name: 'Ada & <Bob>' } } })
    expect([rendered.status, rendered.body.data]).toEqual([
      200,
      { subject: 'Hello Ada & <Bob>', body: '<p>Dear Ada &amp; &lt;Bob&gt;</p>' },
    ])
    expect((await call('DELETE', one)).status).toBe(200)
    for (const [method, path] of [
      ['GET', one],
      ['DELETE', one],
      ['POST', `${one}/render`],
    ] as const) {
      expect((await call(method, path, { body: method === 'POST' ? { variables: {} } : undefined })).status).toBe(404)
    }
  })

  test('of a grant, of another grant and of the application are separate', async () => {
    const ofGrant = (await create(grantAt)).body.data.id
    const ofApplication = (await create('/v3')).body.data.id
    const other = `/v3/grants/${await connectMail(world.service, `other${count}@mail.test`, key)}`
    expect((await call('GET', `/v3/templates/${ofGrant}`)).status).toBe(404)
    expect((await call('GET', `${grantAt}/templates/${ofApplication}`)).status).toBe(404)
    expect((await call('GET', `${other}/templates/${ofGrant}`)).status).toBe(404)
    expect((await call('GET', `${other}/templates`)).body.data).toEqual([])
    const stranger = await world.service.createApplication()
    expect((await call('GET', `/v3/templates/${ofApplication}`, { key: stranger.key })).status).toBe(404)
    expect((await call('GET', '/v3/templates', { key: stranger.key })).body.data).toEqual([])
  })

  test('are listed in order of creation, page by page', async () => {
    for (const name of ['a', 'b', 'c']) await create(grantAt, { name })
    const first = await call('GET', `${grantAt}/templates?limit=2&select=name`)
    expect(first.body.data).toEqual([{ name: 'a' }, { name: 'b' }])
    const next = await call('GET', `${grantAt}/templates?limit=2&select=name&page_token=${first.body.next_cursor}`)
    expect([next.body.data, next.body.next_cursor]).toEqual([[{ name: 'c' }], undefined])
  })

  test('can be rendered without being stored', async () => {
    for (const at of ['/v3', grantAt]) {
      const body = { body: '{{#items}}<li>{{.}}</li>{{/items}}', engine: 'mustache', variables: { items: ['a', '<'] } }
      const answer = await call('POST', `${at}/templates/render`, { body })
      expect([answer.status, answer.body.data]).toEqual([200, { body: '<li>a</li><li>&lt;</li>' }])
    }
  })

  test('report a missing variable by name unless strict is false', async () => {
    const { id } = (await create('/v3')).body.data
    const strict = await call('POST', `/v3/templates/${id}/render`, { body: { variables: {} } })
    expect(strict.status).toBe(400)
    expect(strict.body.error.message).toContain('variables.name: is missing')
    const lax = await call('POST', `/v3/templates/${id}/render`, { body: { variables: {}, strict: false } })
    expect(lax.body.data).toEqual({ subject: 'Hi ', body: '<p>Dear </p>' })
  })

  test.for(['nunjucks', 'twig'])('of the engine %s are refused, because they can run code', async (engine) => {
    const made = await create('/v3', { engine })
    const body = { body: '{{ 7 * 7 }}', engine, variables: {} }
    const rendered = await call('POST', '/v3/templates/render', { body })
    const { id } = (await create('/v3')).body.data
    const changed = await call('PUT', `/v3/templates/${id}`, { body: { engine } })
    for (const answer of [made, rendered, changed]) {
      expect([answer.status, Object.keys(answer.body.error.validation_errors)]).toEqual([400, ['engine']])
      expect(answer.body.error.message).toContain('can run code')
    }
  })

  test('that cannot be rendered are not stored', async () => {
    const broken = await create('/v3', { body: '<p>\n{{#open}}' })
    expect([broken.status, broken.body.error.message]).toEqual([400, 'body: line 2: {{#open}} is not closed'])
    const { id } = (await create('/v3')).body.data
    expect((await call('PUT', `/v3/templates/${id}`, { body: { subject: '{{' } })).status).toBe(400)
    expect((await call('GET', `/v3/templates/${id}`)).body.data.subject).toBe(draft.subject)
  })

  test('supply subject and body of a message; fields of the request take precedence', async () => {
    const { id } = (await create(grantAt)).body.data
    const to = [{ email: 'bob@mail.test' }]
    const send = (body: object) => call('POST', `${grantAt}/messages/send`, { body: { to, ...body } })
    const template = { id, variables: { name: 'A & B' } }
    expect((await send({ template })).status).toBe(200)
    expect(contentOf(sending.sends[0]).request).toMatchObject({ subject: 'Hi A & B', body: '<p>Dear A &amp; B</p>' })
    expect(contentOf(sending.sends[0]).request.template).toBeUndefined()
    await send({ template, subject: 'Mine', is_plaintext: true })
    expect(contentOf(sending.sends[1]).request).toMatchObject({ subject: 'Mine', body: '<p>Dear A & B</p>' })
    await call('POST', `${grantAt}/drafts`, { body: { template } })
    expect(sending.drafted[0]?.request).toMatchObject({ subject: 'Hi A & B' })
    const ofApplication = (await create('/v3')).body.data.id
    expect((await send({ template: { ...template, id: ofApplication } })).status).toBe(200)
    const missing = await send({ template: { id } })
    expect([missing.status, missing.body.error.message]).toMatchObject([400, expect.stringContaining('variables.name')])
    const injected = await send({ template: { id, variables: { name: 'a\r\nBcc: x@y' } } })
    expect([injected.status, Object.keys(injected.body.error.validation_errors)]).toEqual([400, ['subject']])
    expect(sending.sends).toHaveLength(3)
  })

  test('of a grant are deleted with it', async () => {
    const { id } = (await create(grantAt)).body.data
    await call('DELETE', grantAt)
    expect((await call('GET', `${grantAt}/templates/${id}`)).status).toBe(404)
  })
})

const render = (
  text: string,
  variables: Record<string, unknown>,
  { strict = false, html = true, engine = 'mustache' as 'mustache' | 'handlebars' } = {},
): string => {
  try {
    return renderTemplate(parseTemplate(text, engine, 'body'), { variables, strict, html })
  } catch (error) {
    if (error instanceof ApiError) return `refused: ${error.message}`
    throw error
  }
}

describe('the template language', () => {
  const item = { name: 'x', tags: ['a', 'b'], none: [], deep: { er: 1 }, zero: 0, no: false, nil: null }
  test.for<[string, string]>([
    ['{{name}} {{ name }}', 'x x'],
    ['{{deep.er}}{{deep.no}}', '1'],
    ['{{zero}}{{no}}{{nil}}', '0false'],
    ['{{html}}|{{{html}}}|{{&html}}', '&lt;&amp;&gt;&quot;&#39;|<&>"\'|<&>"\''],
    ['{{#tags}}{{.}},{{/tags}}', 'a,b,'],
    ['{{#none}}x{{/none}}{{^none}}empty{{/none}}', 'empty'],
    ['{{#no}}x{{/no}}{{^no}}not{{/no}}{{^name}}y{{/name}}', 'not'],
    ['{{#deep}}{{er}} {{name}}{{/deep}}', '1 x'],
    ['{{#list}}{{#inner}}{{a}}{{b}} {{/inner}}{{/list}}', '12 13 '],
    ['{{! a comment }}x{{!-- another --}}', 'x'],
    ['a\n{{#name}}\nb\n  {{/name}}\nc', 'a\nb\nc'],
    ['a\r\n{{#name}}\r\nb\r\n{{/name}}\r\nc', 'a\r\nb\r\nc'],
    ['{{#name}}\nx\n{{/name}}', 'x\n'],
    ['  {{name}}\n', '  x\n'],
    ['a {{#name}} b {{/name}} c', 'a  b  c'],
    ['} }} { {a} }', '} }} { {a} }'],
  ])('%j becomes %j', ([text, expected]) => {
    const variables = { ...item, html: '<&>"\'', list: [{ a: 1, inner: [{ b: 2 }, { b: 3 }] }] }
    expect(render(text, variables)).toBe(expected)
  })

  test('can access only own properties of variables', () => {
    for (const name of [
      'constructor',
      'constructor.constructor',
      '__proto__',
      'toString',
      'name.length',
      'tags.length',
    ]) {
      expect(render(`[{{${name}}}]`, item), name).toMatch(/^\[\]$|^refused: /)
      expect(render(`[{{#${name}}}x{{/${name}}}]`, item), name).toMatch(/^\[\]$/)
    }
    expect(render('{{__proto__}}', JSON.parse('{"__proto__":"own"}'))).toBe('own')
  })

  test('does not evaluate a value as a template', () => {
    expect(render('{{a}}{{{b}}}', { a: '{{b}}', b: '{{a}}' })).toBe('{{b}}{{a}}')
  })

  test('in strict mode reports missing variables by name, in sections too', () => {
    const strict = { strict: true }
    expect(render('{{a.b}}', { a: {} }, strict)).toContain('variables.a.b: is missing')
    expect(render('{{#a}}{{/a}}', {}, strict)).toContain('variables.a: is missing')
    expect(render('{{^a}}{{/a}}', {}, strict)).toContain('variables.a: is missing')
    expect(render('{{#a}}{{/a}}{{b}}', { a: false, b: null }, strict)).toBe('')
    expect(render('{{#list}}{{a}}{{/list}}', { list: [{ a: 1 }, {}] }, strict)).toContain('variables.a: is missing')
  })

  test.for<[string, string]>([
    ['{{#a}}', '{{#a}} is not closed'],
    ['x\n{{/a}}', 'line 2: {{/a}} does not close a section'],
    ['{{#a}}{{#b}}{{/a}}{{/b}}', 'found {{/a}}, expected {{/b}}'],
    ['{{a', 'a tag is not closed'],
    ['{{}}', 'a tag is empty'],
    ['{{> other}}', 'partials'],
    ['{{=<% %>=}}', 'delimiters'],
    ['{{a b}}', 'helpers and expressions are not run'],
    ['{{a()}}', 'helpers and expressions are not run'],
    ['{{7*7}}', 'is not a name'],
    ['{{a[0]}}', 'is not a name'],
    ['{{tags}}', 'variables.tags: is a list or an object'],
    ['{{#a}}'.repeat(101), 'more than 100 levels deep'],
  ])('refuses %s', ([text, problem]) => {
    expect(render(text, item)).toContain(problem)
  })

  test('of handlebars supports this and else, but no helpers', () => {
    const engine = { engine: 'handlebars' as const }
    expect(render('{{#tags}}{{this}}{{/tags}}', item, engine)).toBe('ab')
    expect(render('{{#no}}a{{else}}b{{/no}}{{#name}}c{{else}}d{{/name}}', item, engine)).toBe('bc')
    for (const text of [
      '{{#if name}}x{{/if}}',
      '{{#each tags}}x{{/each}}',
      '{{lookup a b}}',
      '{{else}}',
      '{{@root}}',
    ]) {
      expect(render(text, item, engine), text).toMatch(/^refused: /)
    }
  })

  test('stops before the output becomes too large', () => {
    const many = Array.from({ length: 1000 }, () => 'x'.repeat(1000))
    expect(render('{{#a}}{{#a}}{{#a}}{{.}}{{/a}}{{/a}}{{/a}}', { a: many })).toBe('refused: body: becomes too large')
    expect(render('{{#a}}{{#a}}{{#a}}{{/a}}{{/a}}{{/a}}', { a: many })).toMatch(/^$|too large/)
    expect(render('{{'.repeat(500_000), {})).toContain('a tag is not closed')
    expect(render('{{#a}}x{{/a}}'.repeat(50_000), { a: false })).toBe('')
  })
})
