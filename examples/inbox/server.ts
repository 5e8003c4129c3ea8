/** An inbox reader: users connect their account on the hosted page, return, and read their mail. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createWaypost, newProofKey, signInUrl, WaypostError } from '@waypost/sdk'
import { inboxPage, messagePage, problemPage, welcomePage } from './page.ts'
import { endSession, isSame, newSession, type Session, secret, sessionOf } from './sessions.ts'

const baseUrl = process.env.WAYPOST_URL ?? 'http://127.0.0.1:3000'
const apiKey = process.env.WAYPOST_API_KEY
const port = Number(process.env.PORT ?? 8030)
const redirect_uri = `http://127.0.0.1:${port}/callback`
const waypost = createWaypost({ baseUrl, apiKey })

// No scripts and no remote resources: images of a message would tell its sender that it was read.
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"

function show(response: ServerResponse, status: number, html: string): void {
  const headers = { 'content-security-policy': policy, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
  response.end(html)
}
const lead = (response: ServerResponse, location: string): void => void response.writeHead(303, { location }).end()

/** Registers the redirect URI and returns the id of the application. */
async function register(): Promise<string> {
  await waypost.redirectUris.create({ body: { url: redirect_uri } }).catch((error: unknown) => {
    if (!(error instanceof WaypostError && error.status === 409)) throw error
  })
  const { data } = await waypost.applications.get()
  return data.application_id
}
const client_id = await register()

/** Redirects the browser with a state, which only this browser can return, and a proof key. */
async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { code_verifier: codeVerifier, code_challenge } = await newProofKey()
  const state = secret()
  newSession(request, response, { pending: { state, codeVerifier } })
  const pkce = { code_challenge, code_challenge_method: 'S256' } as const
  lead(response, signInUrl(baseUrl, { client_id, redirect_uri, state, ...pkce }))
}

/** Handles the return of the browser: exchanges the code if the state matches. */
async function handleReturn(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
  const session = sessionOf(request)
  const pending = session?.pending
  if (session) session.pending = undefined
  if (!pending || !isSame(query.get('state'), pending.state)) {
    return show(response, 400, problemPage('This sign-in was not begun in this browser. Please begin again.'))
  }
  const code = query.get('code')
  if (code === null) {
    const why = query.get('error_description') ?? query.get('error') ?? 'The sign-in was not finished.'
    return show(response, 200, welcomePage(why))
  }
  const { data } = await waypost.connect.token({
    body: {
      grant_type: 'authorization_code',
      client_id,
      client_secret: apiKey,
      code,
      redirect_uri,
      code_verifier: pending.codeVerifier,
    },
  })
  newSession(request, response, { grantId: data.grant_id, email: data.email })
  lead(response, '/')
}

async function read(session: Session, response: ServerResponse, url: URL): Promise<void> {
  const grant_id = session.grantId ?? ''
  if (url.pathname === '/') {
    const page_token = url.searchParams.get('page_token') ?? undefined
    const { data, nextCursor } = await waypost.messages.list({ grant_id, query: { limit: 20, page_token } })
    return show(response, 200, inboxPage(session.email ?? '', data, nextCursor))
  }
  const message_id = decodeURIComponent(url.pathname.slice('/messages/'.length))
  const { data } = await waypost.messages.get({ grant_id, message_id })
  show(response, 200, messagePage(data))
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', redirect_uri)
  const route = `${request.method} ${url.pathname}`
  const session = sessionOf(request)
  if (route === 'GET /sign-in') return signIn(request, response)
  if (route === 'GET /callback') return handleReturn(request, response, url.searchParams)
  if (route === 'POST /sign-out') {
    endSession(request)
    return lead(response, '/')
  }
  const isReading = route === 'GET /' || /^GET \/messages\/[^/]+$/.test(route)
  if (!isReading) return show(response, 404, problemPage('There is no such page.'))
  if (session?.grantId === undefined) return show(response, 200, welcomePage())
  return read(session, response, url)
}

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    const isGone = error instanceof WaypostError && error.status === 404
    const text = isGone ? 'There is no such message.' : 'Your mail cannot be reached just now. Please try again.'
    show(response, isGone ? 404 : 502, problemPage(text))
  })
}).listen(port, '127.0.0.1', () => console.log(`Inbox reader: http://127.0.0.1:${port}/`))
