/** examples/booking: people take times of a virtual calendar, in a real browser and all at once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../harness.ts'
import { type BrowserPeer, barriersOf, complaintsOf, phone, startBrowser } from '../peers/browser.ts'
import { type ExampleProgram, startExample } from './example-program.ts'

let service: TestService
let page: ExampleProgram
let browser: BrowserPeer
beforeAll(async () => {
  service = await openService()
  const env = { WAYPOST_URL: await service.listen(), WAYPOST_API_KEY: service.apiKey }
  ;[page, browser] = await Promise.all([startExample('booking/server.ts', env), startBrowser()])
})
afterAll(async () => {
  await Promise.all([page?.[Symbol.asyncDispose](), browser?.[Symbol.asyncDispose]()])
  await service?.[Symbol.asyncDispose]()
})

const startsIn = (html: string): string[] =>
  Array.from(html.matchAll(/name="start" value="(\d+)"/g), ([, start = '']) => start)
const offered = async (): Promise<string[]> => startsIn(await (await fetch(page.url)).text())
const book = (start: string, guest: number, token: string = crypto.randomUUID()): Promise<Response> =>
  fetch(`${page.url}/book`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ start, token, name: `Guest ${guest}`, email: `guest${guest}@example.com` }),
  })
async function bookedAt(start: string): Promise<string[]> {
  const window = `calendar_id=primary&start=${start}&end=${Number(start) + 1800}`
  const { body } = await service.call('GET', `/v3/grants/front-desk/events?${window}`)
  return body.data.map(({ title }: { title: string }) => title)
}

test('of fifty people who take one time at once, one gets it, and the others see what is still free', async () => {
  const [start = ''] = await offered()
  const answers = await Promise.all(Array.from({ length: 50 }, (_, guest) => book(start, guest)))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(49)
  for (const html of await Promise.all(refused.map((answer) => answer.text()))) {
    expect(html).toContain('Somebody was quicker')
    expect(startsIn(html)).not.toContain(start)
    expect(startsIn(html).length).toBeGreaterThan(0)
  }
  expect(await bookedAt(start)).toHaveLength(1)
})

test('who clicks twice books once and is told so twice', async () => {
  const start = (await offered()).at(-1) ?? ''
  const token = crypto.randomUUID()
  const answers = await Promise.all([book(start, 1, token), book(start, 1, token)])
  const again = await book(start, 1, token)
  expect([...answers, again].map(({ status }) => status)).toEqual([303, 303, 303])
  expect(await bookedAt(start)).toEqual(['Conversation with Guest 1'])
})

test('a time that was never offered is refused, and so is a form without a name', async () => {
  const [start = ''] = await offered()
  for (const wrong of [String(Number(start) + 600), '0', 'soon', String(Number(start) + 365 * 86_400)]) {
    expect((await book(wrong, 2)).status).toBe(409)
  }
  const unnamed = await fetch(`${page.url}/book`, { method: 'POST', body: new URLSearchParams({ start, name: ' ' }) })
  expect(unnamed.status).toBe(422)
  expect(await bookedAt(start)).toEqual([])
})

test.each([
  ['a desk, light', { colorScheme: 'light' }],
  ['a phone, dark', { ...phone, colorScheme: 'dark' }],
] as const)('on %s two people see one time, and the second is offered others', async (_what, options) => {
  const [first, second] = [await browser.newPage(options), await browser.newPage(options)]
  for (const each of [first, second]) {
    await each.goto(page.url)
    await each.locator('input[name=start]').first().check({ force: true })
    await each.getByLabel('Your name').fill('Ada <Lovelace>')
    await each.getByLabel('Your e-mail address').fill('ada@example.com')
  }
  expect(await barriersOf(first)).toEqual([])
  await first.getByRole('button', { name: 'Book' }).click()
  await first.getByRole('heading', { name: 'It is yours' }).waitFor()
  expect(await barriersOf(first)).toEqual([])
  await second.getByRole('button', { name: 'Book' }).click()
  await second.getByRole('alert').waitFor()
  expect(await second.getByRole('alert').textContent()).toContain('Somebody was quicker')
  expect(await second.getByLabel('Your name').inputValue()).toBe('Ada <Lovelace>')
  expect(await barriersOf(second)).toEqual([])
  expect(await second.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  // The browser itself tells of the status 409.
  expect(complaintsOf(second).filter((said) => !said.includes('409'))).toEqual([])
  await second.locator('input[name=start]').first().check({ force: true })
  await second.getByRole('button', { name: 'Book' }).click()
  await second.getByRole('heading', { name: 'It is yours' }).waitFor()
  await Promise.all([first.context().close(), second.context().close()])
})
