/**
 * Calendars and contacts of well-known services: found by the IMAP server of the account, left out if they reject it.
 */

import type { EgressRequest, EgressResponse } from '@waypost/platform/egress/egress'
import { EgressError } from '@waypost/platform/egress/error'
import { beforeEach, describe, expect, test } from 'vitest'
import { findDavSettings } from '../../src/imap/dav-settings.ts'
import type { Io } from '../../src/io.ts'
import { knownDavAt } from '../../src/mail/dav-servers.ts'
import { vendors } from '../../src/mail/vendors.ts'

let requested: EgressRequest[]
let answer: (request: EgressRequest) => Partial<EgressResponse> | Error
const io = {
  signal: new AbortController().signal,
  request: async (request: EgressRequest) => {
    requested.push(request)
    const found = answer(request)
    if (found instanceof Error) throw found
    return { status: 207, headers: {}, body: Buffer.alloc(0), truncated: false, ...found }
  },
} as unknown as Io

const home = ({ url }: EgressRequest): Partial<EgressResponse> => {
  const sets =
    '<C:calendar-home-set><D:href>/cal/</D:href></C:calendar-home-set><A:addressbook-home-set><D:href>/card/</D:href></A:addressbook-home-set>'
  const prop = `<D:prop><D:current-user-principal><D:href>/me/</D:href></D:current-user-principal>${sets}</D:prop>`
  const names = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="urn:ietf:params:xml:ns:carddav"'
  const body = `<D:multistatus ${names}><D:response><D:href>${new URL(url).pathname}</D:href><D:propstat>${prop}<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>`
  return { headers: { 'content-type': 'application/xml' }, body: Buffer.from(body) }
}

const settings = { imap_username: 'ada@lovelace.test' }
const credentials = { imap_password: 'secret' }
const find = (imapHost: string, more = {}) =>
  findDavSettings({ settings: { ...settings, ...more }, credentials, imapHost }, io)
const fastmail = 'https://caldav.fastmail.com/dav/principals/user/ada@lovelace.test/'

beforeEach(() => {
  requested = []
  answer = home
})

describe('calendars and contacts of a mailbox', () => {
  test('at a well-known service are found by its IMAP server, whatever the domain of the address is', async () => {
    expect(await find('imap.fastmail.com')).toEqual({
      caldav_url: fastmail,
      carddav_url: fastmail.replace('caldav', 'carddav'),
    })
    const login = `Basic ${Buffer.from('ada@lovelace.test:secret').toString('base64')}`
    expect(new Set(requested.map(({ headers = {} }) => headers.authorization))).toEqual(new Set([login]))
  })

  test('at an unknown server are not searched for', async () => {
    expect(await find('imap.lovelace.test')).toEqual({})
    expect(requested).toEqual([])
  })

  test('that reject the account are left out, with the reason', async () => {
    answer = () => ({ status: 401 })
    expect(await find('imap.fastmail.com', { carddav_url: 'none' })).toEqual({
      caldav_problem: expect.stringContaining('does not accept the user name and password'),
      carddav_url: 'none',
    })
    answer = () => new EgressError('connect_failed', 'refused')
    expect(Object.keys(await find('imap.fastmail.com'))).toEqual(['caldav_problem', 'carddav_problem'])
  })

  test('that worked before stay while their server does not respond', async () => {
    answer = () => ({ status: 503 })
    const found = await find('imap.fastmail.com', { caldav_url: fastmail, carddav_url: 'none' })
    expect(found).toEqual({ caldav_url: fastmail, carddav_url: 'none' })
    answer = () => ({ status: 401 })
    expect(await find('imap.fastmail.com', { caldav_url: fastmail, carddav_url: 'none' })).toEqual({
      caldav_problem: expect.any(String),
      carddav_url: 'none',
    })
  })

  test("on the user's own host are searched at the usual paths too", async () => {
    answer = (request) => (/\/(remote\.php\/dav|me)\/$/.test(String(request.url)) ? home(request) : { status: 404 })
    const found = await find('imap.lovelace.test', { caldav_url: 'https://cloud.lovelace.test' })
    expect(found).toEqual({ caldav_url: 'https://cloud.lovelace.test/remote.php/dav/' })
  })
})

test('every service with known calendars also has known mail servers', () => {
  const hosts = Object.values(vendors).flatMap(({ hosts, hostsByDomain = {} }) =>
    [hosts, ...Object.values(hostsByDomain)].flatMap((each) => each?.imap ?? []),
  )
  const known = hosts.filter((host) => knownDavAt(host, 'x') !== undefined)
  expect(known).toEqual(expect.arrayContaining(['imap.fastmail.com', 'posteo.de', 'imap.gmx.com', 'imap.zoho.eu']))
  for (const host of known) {
    const { caldav = '', carddav = '' } = knownDavAt(host, 'a b@x') ?? {}
    expect([new URL(caldav).protocol, new URL(carddav).protocol]).toEqual(['https:', 'https:'])
    expect(caldav + carddav).not.toMatch(/[{} ]/)
  }
})
