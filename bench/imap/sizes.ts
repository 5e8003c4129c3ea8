import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { median, quick, ratio, round } from '../figures.ts'
import type { Node } from '../node.ts'
import { connectGrant, newMailbox, openMailNode, pageSize } from './mailbox.ts'

const messages = quick ? 1_000 : 5_000
const folders = quick ? 40 : 200

/**
 * One page of mailboxes of several sizes, requested once and then again; and the memory of the process afterwards.
 */
export async function benchSizes(server: MailServer): Promise<Record<string, number>> {
  await using node = await openMailNode(server, 'api')
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  const usual = await measure(server, node, await newMailbox(server, messages))
  const large = await measure(server, node, await newMailbox(server, messages * 10))
  const wide = await measure(server, node, await newMailbox(server, messages, folders))
  return {
    usual_first_ms: round(usual.first, 1),
    usual_again_ms: round(usual.again),
    large_first_ms: round(large.first, 1),
    large_again_ms: round(large.again),
    large_ratio: ratio(large.again, usual.again),
    folders_first_ms: round(wide.first, 1),
    folders_again_ms: round(wide.again),
  }
}

async function measure(server: MailServer, node: Node, box: Mailbox): Promise<{ first: number; again: number }> {
  const firsts: number[] = []
  const agains: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    const grant = await connectGrant(node, server, { box })
    const ask = async (): Promise<number> => {
      const began = performance.now()
      await node.call('GET', `/v3/grants/${grant}/messages?limit=${pageSize}`)
      return performance.now() - began
    }
    firsts.push(await ask())
    for (let page = 0; page < 10; page++) agains.push(await ask())
  }
  return { first: median(firsts), again: median(agains) }
}
