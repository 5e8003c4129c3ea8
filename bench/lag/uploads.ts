/** Large messages on their way out. */
import { randomBytes } from 'node:crypto'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { startDiscard } from './discard.ts'
import { type Lag, startMeasured } from './measure.ts'

const megabyte = 1024 * 1024

export async function uploadsCases(server: MailServer): Promise<Record<string, Lag>> {
  await using sink = await startDiscard()
  await using node = await startMeasured({ env: {}, ca: [server.ca] })
  await node.call('POST', '/v3/connectors', { provider: 'imap' })
  const { user, password } = await server.addUser()
  const imap = { imap_username: user, imap_password: password, imap_host: server.host, imap_port: server.imapsPort }
  const settings = { ...imap, smtp_host: '127.0.0.1', smtp_port: sink.port, watch: false }
  const { id } = (await node.call('POST', '/v3/connect/custom', { provider: 'imap', settings })).data
  const to = [{ email: 'bob@example.com' }]
  const form = (bytes: number, extra = {}): FormData => {
    const body = new FormData()
    body.set('message', JSON.stringify({ to, subject: 'large', body: '<p>Hello</p>', ...extra }))
    body.set('file', new File([randomBytes(bytes)], 'file.bin', { type: 'application/octet-stream' }))
    return body
  }
  const post = (target: string, body: string | FormData, headers = {}) =>
    node.send(`/v3/grants/${id}/${target}`, body, headers)
  const figures: Record<string, Lag> = {}
  const run = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    figures[name] = await node.measure(work)
  }
  await run('a small message sent', () => post('messages/send', form(1_000)))
  await run('20 MB sent', () => post('messages/send', form(20 * megabyte)))
  await run('20 MB sent, with a key', () =>
    post('messages/send', form(20 * megabyte), { 'idempotency-key': crypto.randomUUID() }),
  )
  await run('20 MB sent, three at once', () =>
    Promise.all([1, 2, 3].map(() => post('messages/send', form(20 * megabyte)))),
  )
  await run('20 MB scheduled', () =>
    post('messages/send', form(20 * megabyte, { send_at: Math.floor(Date.now() / 1000) + 3_600 })),
  )
  let draft = ''
  await run('20 MB drafted', async () => {
    draft = ((await post('drafts', form(20 * megabyte))) as { data: { id: string } }).data.id
  })
  await run('20 MB in a draft replaced', () =>
    node.send(`/v3/grants/${id}/drafts/${draft}`, form(20 * megabyte), {}, 'PUT'),
  )
  await run('20 MB of MIME sent', () => {
    const body = new FormData()
    const text = `${'A line of a text that somebody wrote.\n'.repeat(27)}`.repeat((20 * megabyte) / 1026)
    body.set('mime', new File([`From: ${user}\r\nTo: bob@example.com\r\nSubject: raw\r\n\r\n${text}`], 'mime'))
    return post('messages/send?type=mime', body)
  })
  const json = { 'content-type': 'application/json' }
  const files = (bytes: number) => [
    { filename: 'f', content_type: 'image/png', content: randomBytes(bytes).toString('base64') },
  ]
  await run('3 MB in JSON', () => post('messages/send', JSON.stringify({ to, attachments: files(3 * megabyte) }), json))
  await run('a text of 7 MB in JSON', () =>
    post(
      'messages/send',
      JSON.stringify({
        to,
        body: '<p>Some text with a <a href="https://example.com/">link</a>.</p>\n'.repeat(115_000),
      }),
      json,
    ),
  )
  await run('an escaped text of 7 MB in JSON', () =>
    post(
      'messages/send',
      `{"to":[{"email":"bob@example.com"}],"is_plaintext":true,"body":"${'\\u0041'.repeat(1_200_000)}"}`,
      json,
    ),
  )
  return figures
}
