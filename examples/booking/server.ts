/** A booking page: free half hours of a calendar, and a form to take one. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { book, freeSlots, openCalendar } from './calendar.ts'
import { bookedPage, bookingPage, messagePage } from './page.ts'

const port = Number(process.env.PORT ?? 8010)
const maxForm = 10_000

function show(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  })
  response.end(html)
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (Number(request.headers['content-length'] ?? Infinity) > maxForm)
    return show(response, 413, messagePage('Too much', 'The form is too large.'))
  const form = new URLSearchParams(await text(request))
  const start = Number(form.get('start'))
  const name = (form.get('name') ?? '').trim().slice(0, 200)
  const email = (form.get('email') ?? '').trim().slice(0, 200)
  const again = async (status: number, problem: string): Promise<void> =>
    show(response, status, bookingPage(await freeSlots(), randomUUID(), problem, { name, email }))
  if (name === '' || !/^\S+@\S+$/.test(email)) return again(422, 'Please give your name and your e-mail address.')
  const token = (form.get('token') ?? '').slice(0, 64) || randomUUID()
  if (!(await book(start, { name, email }, token))) {
    return again(409, 'Somebody was quicker: that time is taken. These are still free.')
  }
  response.writeHead(303, { location: `/booked?start=${start}` }).end()
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const route = `${request.method} ${url.pathname}`
  if (route === 'GET /') return show(response, 200, bookingPage(await freeSlots(), randomUUID()))
  if (route === 'POST /book') return take(request, response)
  const start = Number(url.searchParams.get('start'))
  if (route === 'GET /booked' && Number.isInteger(start)) return show(response, 200, bookedPage(start))
  show(response, 404, messagePage('Not found', 'There is no such page.'))
}

await openCalendar()
createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    if (!response.headersSent)
      show(response, 502, messagePage('Sorry', 'The calendar cannot be reached. Please try again.'))
  })
}).listen(port, '127.0.0.1', () => console.log(`Booking page: http://127.0.0.1:${port}/`))
