/** Traits of the IMAP servers of well-known services. */

import { createEgress } from '@waypost/platform/egress/egress'
import { startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { expect, test } from 'vitest'
import { detectByDomain } from '../../src/detection.ts'
import { WatchConnection } from '../../src/imap/watch/watch-connection.ts'
import { imapTraitsOf, vendors } from '../../src/mail/vendors.ts'

test('the servers of Yahoo and AOL are recognized by host, for any IMAP account', () => {
  for (const host of ['imap.mail.yahoo.com', 'IMAP.AOL.com']) {
    expect(imapTraitsOf(host)).toMatchObject({ plainSearch: true, idleSeconds: 180 })
  }
  for (const host of ['imap.fastmail.com', 'mail.yahoo.com.example', 'undefined']) {
    expect(imapTraitsOf(host)).toBeUndefined()
  }
})

test('Yahoo addresses have the kind yahoo, AOL addresses plain IMAP, and Yahoo! JAPAN addresses neither', () => {
  for (const domain of vendors.yahoo?.domains ?? []) expect(detectByDomain(domain)).toEqual({ provider: 'yahoo' })
  expect(detectByDomain('Yahoo.com.br')).toEqual({ provider: 'yahoo' })
  expect(detectByDomain('aol.com')).toEqual({ provider: 'imap', type: 'aol' })
  expect(detectByDomain('yahoo.co.jp')).toBeUndefined()
})

test('a watch waits no longer than the server allows', async () => {
  await using server = await startScriptedImap()
  await using egress = createEgress({ mode: 'private' })
  const auth = { user: 'ann@people.test', password: 'secret' }
  await using watch = new WatchConnection({
    account: async () => ({ host: '127.0.0.1', port: server.port, security: 'none', auth }),
    network: { resolve: egress.resolvePublic, secure: egress.secure },
    traits: { idleSeconds: 0.2 },
    pollSeconds: 3600,
  })
  const never = new AbortController().signal
  const far = { polled: new Map(), maxMs: 3_600_000 }
  expect(await watch.wait(never, () => true, far)).toBe('time')
  expect(server.count('IDLE')).toBe(1)
  expect(await watch.wait(never, () => true, far)).toBe('time')
  expect([server.count('IDLE'), server.count('LOGIN')]).toEqual([2, 1])
})
