/** Pages of large messages. */
import { randomBytes } from 'node:crypto'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { connectGrant } from '../imap/mailbox.ts'
import { headed, longHtml } from './mails.ts'
import { type Lag, startMeasured } from './measure.ts'

const megabyte = 1024 * 1024

export async function pagesCases(server: MailServer): Promise<Record<string, Lag>> {
  await using node = await startMeasured({ env: {}, ca: [server.ca] })
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  const figures: Record<string, Lag> = {}
  const open = async (sources: readonly string[]): Promise<string> => {
    const box = await server.addUser()
    for (const source of sources) await server.deliver(box.user, source)
    return connectGrant(node as never, server, { box })
  }
  const run = async (name: string, target: string): Promise<void> => {
    figures[name] = await node.measure(() => node.call('GET', target))
  }
  const html = await open(Array.from({ length: 50 }, () => longHtml(megabyte)))
  await run('50 × 1 MB of HTML', `/v3/grants/${html}/messages?limit=50`)
  await run('50 × 1 MB of HTML, selected', `/v3/grants/${html}/messages?limit=50&select=id,body`)
  await run('50 × 1 MB raw', `/v3/grants/${html}/messages?limit=50&fields=raw_mime`)
  await run('threads of 50 × 1 MB', `/v3/grants/${html}/threads?limit=50`)
  const foreign = await open(
    Array.from({ length: 50 }, () =>
      headed('foreign', {
        headers: 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n',
        body: 'Zażółć gęślą jaźń \u{1f600}\r\n'.repeat(30_000),
      }),
    ),
  )
  await run('50 × 1 MB of foreign letters', `/v3/grants/${foreign}/messages?limit=50`)
  const file = await open([
    headed('file', {
      headers: 'Content-Type: multipart/mixed; boundary=b\r\n',
      body: `--b\r\nContent-Type: text/plain\r\n\r\nsee file\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=f.bin\r\n\r\n${randomBytes(
        20 * megabyte,
      )
        .toString('base64')
        .replace(/.{76}/g, '$&\r\n')}\r\n--b--`,
    }),
  ])
  const { data } = await node.call('GET', `/v3/grants/${file}/messages`)
  const [message] = data as unknown as { id: string; attachments: { id: string }[] }[]
  if (!message) throw new Error('there is no message')
  const target = `/v3/grants/${file}/attachments/${message.attachments[0]?.id}/download?message_id=${message.id}`
  figures['a file of 20 MB'] = await node.measure(async () => {
    const response = await fetch(`${node.url}${target}`, { headers: { authorization: `Bearer ${node.key}` } })
    if ((await response.arrayBuffer()).byteLength !== 20 * megabyte) throw new Error('not whole')
  })
  await run('20 MB raw', `/v3/grants/${file}/messages/${message.id}?fields=raw_mime`)
  return figures
}
