import type { MailServer } from '@waypost/testing/peers/mail-server'
import { median, quick, ratio, round } from '../figures.ts'
import { bareClient, connectGrant, mailOf, newMailbox, openMailNode, pageQuery, pageSize } from './mailbox.ts'

const messages = quick ? 500 : 5_000

/** The time from a cold start to the first list; and the first list of accounts without earlier requests. */
export async function benchStart(server: MailServer): Promise<Record<string, number>> {
  const small = await server.addUser()
  await server.deliver(small.user, mailOf(1, small.user))
  const started = performance.now()
  await using node = await openMailNode(server, 'api')
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  await node.call('GET', `/v3/grants/${await connectGrant(node, server, { box: small })}/messages`)
  const start = performance.now() - started

  const box = await newMailbox(server, messages)
  const floors: number[] = []
  const ours: number[] = []
  for (let turn = 0; turn < 9; turn++) {
    const floorBegan = performance.now()
    const client = await bareClient(server, box)
    await client.fetchAll(`${messages - pageSize + 1}:${messages}`, pageQuery)
    floors.push(performance.now() - floorBegan)
    client.close()
    const grant = await connectGrant(node, server, { box })
    const began = performance.now()
    await node.call('GET', `/v3/grants/${grant}/messages?limit=${pageSize}`)
    ours.push(performance.now() - began)
  }
  return {
    start_connect_list_ms: round(start, 0),
    first_floor_ms: round(median(floors), 1),
    first_page_ms: round(median(ours), 1),
    first_ratio: ratio(median(ours), median(floors)),
  }
}
