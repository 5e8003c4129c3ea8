/** The interface of a real server of calendars and contacts for tests. */
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
  /** The address at which discovery starts. */
  readonly davUrl: string
  /** The addresses of a user's calendars and address books, for tests that do not use discovery. */
  calendarHome(user: string): string
  addressbookHome(user: string): string
  /** A user with a calendar and an address book. */
  addDavUser(name?: string, password?: string): Promise<Mailbox>
  /** Sends one plain request as a user, for the preparations and checks of tests. */
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

/** Stores an object, whether it exists or not. Throws if the server refuses. */
export async function putObject(server: DavServer, mailbox: Mailbox, url: string, data: string): Promise<void> {
  const type = data.startsWith('BEGIN:VCARD') ? 'text/vcard' : 'text/calendar'
  const { status, text } = await server.request(mailbox, 'PUT', url, {
    headers: { 'content-type': `${type}; charset=utf-8` },
    body: data.replace(/\r?\n/g, '\r\n'),
  })
  if (status >= 300) throw new Error(`${server.name} answered ${status} to the PUT of ${url}: ${text}`)
}
