/** Mail of strangers at a real server: listed, read, and arriving in a watched mailbox. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { quick } from '../figures.ts'
import { connectGrant } from '../imap/mailbox.ts'
import { deepParts, headed, longReferences, manyAddresses, manyHeaders, manyParts } from './mails.ts'
import { type Lag, type Measured, startMeasured } from './measure.ts'

/** Creates a mailbox with these messages; returns its grant. */
async function filled(
  node: Measured,
  server: MailServer,
  sources: readonly string[],
  watch = false,
): Promise<{ grant: string; user: string }> {
  const box = await server.addUser()
  for (const source of sources) await server.deliver(box.user, source)
  const grant = await connectGrant(node as never, server, { box, watch })
  return { grant, user: box.user }
}

export async function mailCases(server: MailServer): Promise<Record<string, Lag>> {
  await using node = await startMeasured({ env: {}, ca: [server.ca] })
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  const figures: Record<string, Lag> = {}
  figures['nothing large'] = await node.measure(() => sleep(2_000))
  const list = async (name: string, sources: readonly string[], query = ''): Promise<void> => {
    const { grant } = await filled(node, server, sources)
    figures[name] = await node.measure(async () => {
      for (let turn = 0; turn < 2; turn++) await node.call('GET', `/v3/grants/${grant}/messages?limit=50${query}`)
      await node.call('GET', `/v3/grants/${grant}/threads?limit=50`)
    })
  }
  const many = quick ? 10 : 40
  await list('a small mail', [headed('small')])
  await list('9,000 parts', [manyParts(9_000)])
  await list(
    `9,000 parts, ${many} of them`,
    Array.from({ length: many }, () => manyParts(9_000)),
  )
  await list('2,000 levels deep', [deepParts(2_000)])
  await list('50,000 addresses', [manyAddresses(50_000)])
  await list(
    '1 MB of references, 20 of them',
    Array.from({ length: 20 }, () => longReferences(1_000_000)),
  )
  await list(
    '100,000 headers, 10 of them',
    Array.from({ length: 10 }, () => manyHeaders(100_000)),
    '&fields=include_headers',
  )
  {
    const { user } = await filled(node, server, [headed('first')], true)
    await node
      .call('POST', '/v3/webhooks', {
        trigger_types: ['message.created'],
        webhook_url: 'http://127.0.0.1:9/',
      })
      .catch(() => undefined)
    await sleep(3_000)
    figures[`9,000 parts, ${many} arriving`] = await node.measure(async () => {
      for (let turn = 0; turn < many; turn++) await server.deliver(user, manyParts(9_000))
      await sleep(quick ? 3_000 : 15_000)
    })
  }
  return figures
}
