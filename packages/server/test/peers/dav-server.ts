/** What the tests need of a real server of calendars and contacts, whichever it is. */
import type { Mailbox } from './mail-server.ts'

export interface DavAnswer {
  status: number
  headers: Headers
  text: string
}

export interface DavRequestOptions {
  headers?: Record<string, string>
  body?: string
}

export interface DavServer extends AsyncDisposable {
  readonly name: string
  /** Where discovery begins: the address of the host. */
  readonly davUrl: string
  /** Where a user's calendars and address books are, for tests that go there by themselves. */
  calendarHome(user: string): string
  addressbookHome(user: string): string
  /** A user with a calendar and an address book. */
  addDavUser(name?: string, password?: string): Promise<Mailbox>
  /** One bare request in a user's name, as tests arrange and check with. */
  request(mailbox: Mailbox, method: string, url: string, options?: DavRequestOptions): Promise<DavAnswer>
}

export async function davRequest(
  { user, password }: Mailbox,
  method: string,
  url: string,
  { headers = {}, body }: DavRequestOptions = {},
): Promise<DavAnswer> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const answer = await fetch(url, {
    method,
    headers: {
      authorization,
      ...(body?.startsWith('<') ? { 'content-type': 'application/xml; charset=utf-8' } : {}),
      ...headers,
    },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Puts an object there, whatever is there; throws where the server does not take it. */
export async function putObject(server: DavServer, mailbox: Mailbox, url: string, data: string): Promise<void> {
  const type = data.startsWith('BEGIN:VCARD') ? 'text/vcard' : 'text/calendar'
  const { status, text } = await server.request(mailbox, 'PUT', url, {
    headers: { 'content-type': `${type}; charset=utf-8` },
    body: data.replace(/\r?\n/g, '\r\n'),
  })
  if (status >= 300) throw new Error(`${server.name} answered ${status} to the PUT of ${url}: ${text}`)
}
