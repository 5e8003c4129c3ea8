import { Agent, request } from 'node:http'
import { limits } from '@waypost/contract'
import { Deadlines } from '@waypost/platform/deadlines'
import { describe, expect, test } from 'vitest'
import { createUnderWay } from '../../../src/telemetry/under-way.ts'
import { openService } from '../../harness.ts'

describe('running requests', () => {
  test('are answered when the node must stop, and their work is aborted', async () => {
    const underWay = createUnderWay()
    let reported = 0
    const never = underWay.within(new Promise<string>(() => undefined), () => reported++)
    const done = underWay.within(Promise.resolve('done'))
    await expect(done).resolves.toBe('done')
    underWay.end()
    await expect(never).rejects.toMatchObject({ code: 'service_unavailable', details: { retryAfter: 1 } })
    await expect(underWay.within(new Promise(() => undefined))).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(reported).toBe(1)
  })

  test('are refused at their deadline, and their work is aborted', async () => {
    const waits: { call(): void; milliseconds: number }[] = []
    const deadlines = new Deadlines({
      now: () => performance.now() + (waits.length > 0 ? limits.deadlineMs : 0),
      later(call, milliseconds) {
        waits.push({ call, milliseconds })
        return () => undefined
      },
    })
    const underWay = createUnderWay(deadlines)
    let reported = 0
    const late = underWay.withinDeadline(new Promise<string>(() => undefined), () => reported++)
    const reading = underWay.within(new Promise<string>((resolve) => setImmediate(resolve, 'read')))
    expect(waits).toHaveLength(1)
    waits[0]?.call()
    await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' })
    await expect(reading).resolves.toBe('read')
    expect(reported).toBe(1)
  })

  test('are not affected if they end earlier', async () => {
    const underWay = createUnderWay()
    await expect(underWay.within(Promise.reject(new Error('its own')))).rejects.toThrow('its own')
    underWay.end()
  })
})

test('a stopping node keeps answering, reports that it is not ready, and closes connections', async () => {
  const service = await openService({ env: { WAYPOST_SHUTDOWN_ANNOUNCE_MS: '4000' } })
  const base = await service.listen()
  const agent = new Agent({ keepAlive: true })
  const ask = (target: string): Promise<{ status: number; connection: string | undefined }> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${service.apiKey}` }
      const requested = request(`${base}${target}`, { agent, headers }, (response) => {
        const { statusCode: status = 0, headers } = response
        response.resume().on('end', () => resolve({ status, connection: headers.connection }))
      })
      requested.on('error', reject).end()
    })
  expect(await ask('/ready')).toEqual({ status: 200, connection: 'keep-alive' })
  const ended = service[Symbol.asyncDispose]()
  while ((await ask('/ready')).status !== 503);
  expect(await ask('/v3/grants')).toEqual({ status: 200, connection: 'close' })
  expect(await ask('/health')).toEqual({ status: 200, connection: 'close' })
  await ended
  agent.destroy()
})
