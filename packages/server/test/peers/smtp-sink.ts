/** Mail servers in this process that take what they are given and keep it. */
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Relayed } from './mail-server.ts'

export interface Taken extends Relayed {
  /** Who signed in. */
  user: string | undefined
}

export interface SmtpSink extends AsyncDisposable {
  port: number
  connections: number
  taken: Taken[]
  /** This process may end while the sink listens. */
  unref(): void
}

export interface SinkOptions extends SMTPServerOptions {
  /** Has its say before a mail counts as taken: what it throws refuses the mail. */
  onTake?(mail: Taken): void | Promise<void>
  /** Whether `taken` has the mails. Default: true. */
  keeps?: boolean
}

/** Takes all mail, without TLS or signing in unless the options say otherwise. */
export async function startSmtpSink({ onTake, keeps = true, ...options }: SinkOptions = {}): Promise<SmtpSink> {
  const counted = { connections: 0, taken: [] as Taken[] }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    logger: false,
    onConnect(_session, done) {
      counted.connections++
      done()
    },
    async onData(stream, { envelope, user }, done) {
      // Who ends the connection before the end of a message has sent none.
      const pieces = await Array.fromAsync(stream as AsyncIterable<Buffer>).catch(() => undefined)
      if (!pieces) return
      const source = Buffer.concat(pieces)
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      const mail = { from, to: envelope.rcptTo.map(({ address }) => address), user: user?.toString(), source }
      try {
        await onTake?.(mail)
      } catch (error) {
        return done(error as Error)
      }
      if (keeps) counted.taken.push(mail)
      done()
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return Object.assign(counted, {
    port: address.port,
    unref: () => void server.server.unref(),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
}

/** The mail server of a service that writes mails of its own. */
export interface ServiceMail extends AsyncDisposable {
  /** The settings of the service. */
  env: Record<string, string>
  /** What was taken, once for each who it is to. */
  mails: { to: string; mail: ParsedMail }[]
  /** Answers the next mails with this code instead of taking them. */
  refuse(code: number | undefined): void
}

/** `from` is the address that the service writes from. */
export async function openServiceMail(from: string): Promise<ServiceMail> {
  const mails: ServiceMail['mails'] = []
  let refusal: number | undefined
  const sink = await startSmtpSink({
    async onTake({ to, source }) {
      if (refusal !== undefined) throw Object.assign(new Error('later'), { responseCode: refusal })
      const mail = await simpleParser(source)
      for (const address of to) mails.push({ to: address, mail })
    },
  })
  return {
    env: { WAYPOST_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, WAYPOST_MAIL_FROM: `Waypost <${from}>` },
    mails,
    refuse: (code) => {
      refusal = code
    },
    [Symbol.asyncDispose]: () => sink[Symbol.asyncDispose](),
  }
}
