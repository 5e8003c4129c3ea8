/** Actions that nodes of an older version would mishandle are refused with an error that names these nodes. */

import { beatNode, leaveNode } from '@waypost/store/tables/applications/nodes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needNodesSince } from '../../src/applications/newer-nodes.ts'
import { openService, type TestService } from '../harness.ts'

let service: TestService
beforeAll(async () => {
  service = await openService({ engine: 'sqlite' })
})
afterAll(() => service[Symbol.asyncDispose]())

const what = 'messages with uploaded files can be sent'

test('an action that older nodes do not know is refused with 409 and their names, until they are gone', async () => {
  const { database, clock } = service.services.storage
  const need = () => needNodesSince(database, '1.3.0', { what, now: clock.now() })
  await need()
  const beat = (id: string, version: string, host: string) =>
    beatNode(database, { id, startedAt: 0, version, host }, clock.now())
  await beat('new', '1.3.1', 'web-3')
  await need()
  await beat('old', '1.2.0', 'web-1')
  await expect(need()).rejects.toMatchObject({
    code: 'conflict',
    message: `${what} once all nodes run 1.3.0 or newer; web-1 (1.2.0) is still older: replace or stop it`,
  })
  await beat('oldest', '', 'web-2')
  await expect(need()).rejects.toThrow(/web-2 \(unknown version\).* are still older: replace or stop them/)
  for (const id of ['old', 'oldest']) await leaveNode(database, id)
  await need()
})

test('a message with an uploaded file is refused in the same way', async () => {
  const { database, clock } = service.services.storage
  await beatNode(database, { id: 'old', startedAt: 0, version: '1.2.0', host: 'web-1' }, clock.now())
  const place = { applicationId: 'a', grantId: 'g' }
  await expect(service.services.mail.uploads.find(place, 'x', 'attachments.0.id')).rejects.toMatchObject({
    code: 'conflict',
  })
  await leaveNode(database, 'old')
  await expect(service.services.mail.uploads.find(place, 'x', 'attachments.0.id')).rejects.toMatchObject({
    code: 'not_found',
  })
})
