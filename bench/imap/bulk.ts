/** A large mailbox, filled with one command per folder (MULTIAPPEND, RFC 3502; LITERAL+, RFC 7888). */
import { once } from 'node:events'
import net from 'node:net'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'

export interface LargeMailbox {
  box: Mailbox
  folders: readonly string[]
  messages: number
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const padded = (number: number): string => String(number).padStart(2, '0')
const imapDate = (date: Date): string =>
  `"${padded(date.getUTCDate())}-${months[date.getUTCMonth()]}-${date.getUTCFullYear()} ${date.toISOString().slice(11, 19)} +0000"`

const mailOf = (number: number, to: string): string =>
  `From: Sender ${number % 50} <sender${number % 50}@example.com>\r\nTo: ${to}\r\nSubject: Message number ${number}\r\nDate: Mon, 2 Nov 2020 10:00:00 +0000\r\nMessage-ID: <${number}.bulk@example.com>\r\n\r\nThis is message ${number}.\r\n`

/** All mail is years old. Half of it is in the inbox, the rest in equal parts in the other folders. */
export async function fillMailbox(server: MailServer, messages: number, count: number): Promise<LargeMailbox> {
  const box = await server.addUser()
  const folders = ['INBOX', ...Array.from({ length: count - 1 }, (_, number) => `Folder ${number + 1}`)]
  const socket = net.connect(server.imapPort, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard = (heard + chunk.toString('latin1')).slice(-500)
  })
  const run = async (command: string): Promise<void> => {
    socket.write(`t ${command}\r\n`)
    while (!/^t (OK|NO|BAD).*\r\n$/m.test(heard)) await once(socket, 'data')
    if (!/^t OK/m.test(heard)) throw new Error(heard)
    heard = ''
  }
  await run(`LOGIN ${box.user} ${box.password}`)
  const newest = Date.UTC(2021, 0, 1)
  const appended = (number: number): string => {
    const mail = mailOf(number, box.user)
    const flags = number % 100 === 1 && number < messages / 20 ? '()' : '(\\Seen)'
    return ` ${flags} ${imapDate(new Date(newest - (messages - number) * 1_200_000))} {${mail.length}+}\r\n${mail}`
  }
  for (const [place, path] of folders.entries()) {
    if (place > 0) await run(`CREATE "${path}"`)
    const numbers = Array.from({ length: messages }, (_, number) => number).filter((number) =>
      place === 0 ? number % 2 === 0 : number % 2 === 1 && ((number - 1) / 2) % (count - 1) === place - 1,
    )
    for (let at = 0; at < numbers.length; at += 2_000) {
      await run(
        `APPEND "${path}"${numbers
          .slice(at, at + 2_000)
          .map(appended)
          .join('')}`,
      )
    }
  }
  socket.destroy()
  return { box, folders, messages }
}
