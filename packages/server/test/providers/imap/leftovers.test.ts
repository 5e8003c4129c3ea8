import type { ImapFlow } from 'imapflow'
import { expect, test } from 'vitest'
import { dropLeftovers } from '../../../src/providers/imap/connections/leftovers.ts'

test('of a listing a connection keeps what it needs to select a folder, once for folders that are alike', () => {
  const folder = (path: string, more: object = {}) => ({
    ...{ path, pathAsListed: path, parentPath: '', name: path, delimiter: '/', parent: [], flags: new Set(['\\Sent']) },
    ...{ listed: true, subscribed: false, status: { path, messages: 3, uidNext: 4, uidValidity: 5n } },
    ...more,
  })
  const listed = [folder('INBOX'), folder('Work'), folder('Sent', { specialUse: '\\Sent' })]
  const folders = new Map(listed.map((each) => [each.path, each as object]))
  const client = {
    folders,
    rawCapabilities: [{ type: 'ATOM', value: 'IDLE' }],
    capabilities: new Map([['IDLE', true]]),
  }
  dropLeftovers(client as unknown as ImapFlow)
  expect([...folders.keys()]).toEqual(['INBOX', 'Work', 'Sent'])
  expect(folders.get('INBOX')).toEqual({ delimiter: '/', listed: true, subscribed: false, specialUse: undefined })
  expect(folders.get('Work')).toBe(folders.get('INBOX'))
  expect(folders.get('Sent')).toEqual({ delimiter: '/', listed: true, subscribed: false, specialUse: '\\Sent' })
  expect(client.rawCapabilities).toBeNull()
  expect(client.capabilities.has('IDLE')).toBe(true)
})
