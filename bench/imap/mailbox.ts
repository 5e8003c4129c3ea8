/** Mailboxes to measure, and the bare client for comparison. */

import { createEgress } from '@waypost/platform/egress/egress'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { ImapFlow } from 'imapflow'
import type { Client } from '../client.ts'
import { type Node, openNode } from '../node.ts'

/** The address of a mail server. */
export type MailPlace = Pick<MailServer, 'imapsPort' | 'ca'>

export const pageSize = 50

export const openMailNode = (server: MailPlace, roles: string): Promise<Node> =>
  openNode({ WAYPOST_ROLES: roles }, { egress: createEgress({ mode: 'private', ca: [server.ca] }) })

/** Connects a mailbox; returns the id of its grant. */
export async function connectGrant(
  { call }: Client,
  server: MailPlace,
  { box, watch = false }: { box: Mailbox; watch?: boolean },
): Promise<string> {
  const settings = {
    imap_username: box.user,
    imap_password: box.password,
    imap_host: '127.0.0.1',
    imap_port: server.imapsPort,
    watch,
  }
  return (await call('POST', '/v3/connect/custom', { provider: 'imap', settings })).data.id
}

const fox = 'The quick brown fox jumps over the lazy dog. '

export const mailOf = (number: number, to: string): string =>
  [
    `From: Sender ${number % 50} <sender${number % 50}@example.com>`,
    `To: ${to}`,
    `Subject: Message number ${number}`,
    'Date: Mon, 2 Nov 2026 10:00:00 +0000',
    `Message-ID: <${number}.bench@example.com>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="edge"',
    '',
    '--edge',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Hello,\r\n\r\nthis is message ${number}. ${fox.repeat(20)}\r\n`,
    '--edge',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    `<html><body><p>Hello,</p><p>this is <b>message ${number}</b>. ${fox.repeat(40)}</p></body></html>\r\n`,
    '--edge--',
    '',
  ].join('\r\n')

/** When message `number` of `messages` arrived; Unix seconds. */
export const receivedAt = (number: number, messages: number): number =>
  Date.UTC(2026, 9, 1) / 1000 - (messages - number) * 3600

/** A new mailbox with messages that arrived one per hour; one in ten is unread. */
export async function newMailbox(server: MailServer, messages: number, folders = 1): Promise<Mailbox> {
  const box = await server.addUser()
  const client = await server.client(box.user)
  const paths = ['INBOX', ...Array.from({ length: folders - 1 }, (_, number) => `Folder ${number + 1}`)]
  for (const path of paths.slice(1)) await client.mailboxCreate(path)
  for (let number = 0; number < messages; number++) {
    const marks = number % 10 === 0 ? [] : ['\\Seen']
    const path = paths[number % paths.length] ?? 'INBOX'
    await client.append(path, mailOf(number, box.user), marks, new Date(receivedAt(number, messages) * 1000))
  }
  client.close()
  return box
}

/** A connection with the inbox selected. */
export async function bareClient(server: MailPlace, box: Mailbox): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: server.imapsPort,
    secure: true,
    auth: { user: box.user, pass: box.password },
    tls: { ca: [server.ca] },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
  })
  await client.connect()
  await client.mailboxOpen('INBOX')
  return client
}

/** The fields that a page fetches of each message. */
export const pageQuery = { uid: true, flags: true, source: true } as const
