/** Nodes that do not know channels would write notifications that are never published, so they must not start. */

import { changes } from '@waypost/store/migrations/changes'
import { schemaProblem } from '@waypost/store/migrations/compatibility'
import { recordedSteps } from '@waypost/store/migrations/recorded-steps'
import { noteWhetherChannels } from '@waypost/store/tables/notifications/channel-versions'
import { engines } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../harness.ts'
import { storeChannel } from './stored-channel.ts'

describe.each(engines)('channels on %s', (engine) => {
  let service: TestService
  let application: { id: string; key: string }
  beforeAll(async () => {
    service = await openService({ engine })
    application = await service.createApplication('Channels')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  /** What a node of a version reads from the store before it starts. */
  const problemOf = async (version: string): Promise<string | undefined> => {
    const known = changes.filter(({ number }) => number < 60)
    const steps = await recordedSteps(service.services.storage.database)
    return schemaProblem({ migrations: [], steps }, { version, changes: known })
  }
  const newChannel = (transport: 'nats' | 'amqp'): Promise<string> =>
    storeChannel(service, { applicationId: application.id, transport })
  const deleteChannel = async (transport: string, id: string): Promise<void> => {
    const { status } = await service.call('DELETE', `/v3/channels/${transport}/${id}`, { key: application.key })
    expect(status).toBe(200)
  }

  test('keep nodes of earlier versions from starting until the last one is deleted', async () => {
    expect(await problemOf('1.2.0')).toBeUndefined()
    const [first, second] = [await newChannel('nats'), await newChannel('amqp')]
    expect(await problemOf('1.2.0')).toContain('(change 60, channels) and needs version 1.3.0 or newer; this is 1.2.0')
    expect(await problemOf('1.3.0')).toBeUndefined()
    await deleteChannel('nats', first)
    expect(await problemOf('1.2.0')).toContain('needs version 1.3.0')
    await deleteChannel('amqp', second)
    expect(await problemOf('1.2.0')).toBeUndefined()
  })

  test('that a node of 1.3.0 created are found at the next start, whether paused or not', async () => {
    const { database } = service.services.storage
    const id = await newChannel('nats')
    const as1_3_0 = sql('', `update schema_changes set compatible_from = '1.0.0' where number = 60`)
    for (const status of ['channel_active', 'channel_pause', 'channel_failing', 'channel_failed']) {
      await database.run(sql('', `update webhooks set status = '${status}'`))
      await database.run(as1_3_0)
      expect(await problemOf('1.2.0')).toBeUndefined()
      await noteWhetherChannels(database)
      expect(await problemOf('1.2.0')).toContain('needs version 1.3.0')
    }
    await deleteChannel('nats', id)
  })
})

test('a start that changes nothing about channels writes nothing', async () => {
  await using service = await openService({ engine: 'sqlite' })
  const { database } = service.services.storage
  const refuse = (): Promise<never> => Promise.reject(new Error('no space'))
  await noteWhetherChannels({ ...database, run: refuse, transaction: refuse })
})
