/**
 * In a separate process: a program that sends by nodemailer on two pooled connections and files each copy by imapflow
 * on open ones. It stores nothing, so after a crash it cannot say what it sent.
 */
import { randomUUID } from 'node:crypto'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import type { ImapFlow } from 'imapflow'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { bareClient, type MailPlace } from '../imap/mailbox.ts'
import { contend, cpuMs } from '../process.ts'
import { contentOf, type Size } from './message.ts'

export interface FloorStart {
  smtpPort: number
  server: MailPlace
  box: Mailbox
  width: number
}

export interface Round {
  size: Size
  seconds: number
  copies: boolean
}

export interface Measured {
  perSecond: number
  /** Processor time per message, in milliseconds. */
  cpu: number
}

await contend<FloorStart, undefined, Round, Measured>(async ({ smtpPort, server, box, width }) => {
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtpPort,
    ignoreTLS: true,
    pool: true,
    maxConnections: 2,
    maxMessages: Number.POSITIVE_INFINITY,
  })
  const clients: ImapFlow[] = []
  for (let index = 0; index < width; index++) clients.push(await bareClient(server, box))
  await clients[0]?.mailboxCreate('Copies')

  async function send(client: ImapFlow, { size, copies }: Round): Promise<void> {
    const { subject, text, file } = contentOf(size)
    const html = `<p>${text}</p>`
    const attachments = file ? [{ filename: 'file.bin', content: file }] : []
    const envelope = { from: box.user, to: ['bob@example.com'] }
    const messageId = `<${randomUUID()}@example.com>`
    const mail = { from: box.user, to: 'bob@example.com', subject, text, html, attachments, messageId }
    const raw = await new MailComposer(mail).compile().build()
    await transport.sendMail({ envelope, raw })
    if (copies) await client.append('Copies', raw, ['\\Seen'])
  }

  return {
    facts: undefined,
    async answer(round) {
      const began = performance.now()
      const cpu = process.cpuUsage()
      let count = 0
      await Promise.all(
        clients.map(async (client) => {
          while (performance.now() - began < round.seconds * 1000) {
            await send(client, round)
            count++
          }
        }),
      )
      return { perSecond: count / ((performance.now() - began) / 1000), cpu: cpuMs(cpu) / count }
    },
    async close() {
      transport.close()
      for (const client of clients) client.close()
    },
  }
})
