import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Homes extends AsyncDisposable {
  url: string
  users: ReadonlySet<string>
}

/** A server that accepts every login, has empty homes, and records the logins. */
export async function startHomes(): Promise<Homes> {
  const users = new Set<string>()
  const reported = (name: string, at: string): string => `<${name}><D:href>${at}</D:href></${name}>`
  const homes = [
    reported('D:current-user-principal', '/'),
    reported('C:calendar-home-set', '/calendars/'),
    reported('A:addressbook-home-set', '/card/'),
  ]
  const names = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="urn:ietf:params:xml:ns:carddav"'
  const status = '<D:status>HTTP/1.1 200 OK</D:status>'
  const http = createServer(({ headers: { authorization = '' }, url = '/' }, response) => {
    users.add(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')[0] ?? '')
    const found = `<D:propstat><D:prop>${homes.join('')}</D:prop>${status}</D:propstat>`
    response.writeHead(207, { 'content-type': 'application/xml', dav: '1, calendar-access, addressbook' })
    response.end(`<D:multistatus ${names}><D:response><D:href>${url}</D:href>${found}</D:response></D:multistatus>`)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    users,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
    },
  }
}
