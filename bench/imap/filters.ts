import type { MailServer } from '@waypost/testing/peers/mail-server'
import type { SearchObject } from 'imapflow'
import { median, quick, ratio, round } from '../figures.ts'
import { bareClient, connectGrant, newMailbox, openMailNode, pageQuery, pageSize, receivedAt } from './mailbox.ts'

const messages = quick ? 1_000 : 5_000
const turns = quick ? 10 : 40

interface Filter {
  target: string
  search: SearchObject
}

/** Filters of the API, and the search of a bare client for the same. */
const filters: Record<string, Filter> = {
  unread: { target: 'messages?unread=true', search: { seen: false } },
  in_folder: { target: 'messages?in=INBOX', search: { all: true } },
  from: { target: 'messages?from=sender7@example.com', search: { from: 'sender7@example.com' } },
  subject: { target: 'messages?subject=number%207', search: { subject: 'number 7' } },
  received_after: {
    target: `messages?received_after=${receivedAt(messages - 100, messages)}`,
    search: { since: new Date(receivedAt(messages - 100, messages) * 1000) },
  },
  received_before: {
    target: `messages?received_before=${receivedAt(messages / 2, messages)}`,
    search: { before: new Date(receivedAt(messages / 2, messages) * 1000) },
  },
  headers: { target: 'messages?fields=include_headers', search: { all: true } },
  raw_mime: { target: 'messages?fields=raw_mime', search: { all: true } },
  subjects_only: { target: 'messages?select=id,subject,from', search: { all: true } },
  threads: { target: 'threads?', search: { all: true } },
}

/** Pages of an account in use, against a search for the same and a fetch of the newest results. */
export async function benchFilters(server: MailServer): Promise<Record<string, number>> {
  const box = await newMailbox(server, messages)
  await using node = await openMailNode(server, 'api')
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  const grant = await connectGrant(node, server, { box })
  const client = await bareClient(server, box)
  const figures: Record<string, number> = {}
  for (const [name, { target, search }] of Object.entries(filters)) {
    const floors: number[] = []
    const ours: number[] = []
    for (let turn = 0; turn < turns; turn++) {
      const floorBegan = performance.now()
      const found = (await client.search(search, { uid: true })) || []
      await client.fetchAll(found.slice(-pageSize).join(','), pageQuery, { uid: true })
      floors.push(performance.now() - floorBegan)
      const began = performance.now()
      await node.call('GET', `/v3/grants/${grant}/${target}&limit=${pageSize}`)
      ours.push(performance.now() - began)
    }
    figures[`${name}_floor_ms`] = round(median(floors))
    figures[`${name}_ms`] = round(median(ours))
    figures[`${name}_ratio`] = ratio(median(ours), median(floors))
  }
  client.close()
  return figures
}
