/** Mail servers in this process that accept mail and store it. */
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Relayed } from './mail-server.ts'

export interface Taken extends Relayed {
  /** The user who signed in. */
  user: string | undefined
}

export interface SmtpSink extends AsyncDisposable {
  port: number
  connections: number
  taken: Taken[]
  /** The process can end while the sink listens. */
  unref(): void
}

export interface SinkOptions extends SMTPServerOptions {
  /** Runs before a mail is accepted; an error that it throws refuses the mail. */
  onTake?(mail: Taken): void | Promise<void>
  /** Whether `taken` stores the mails. Default: true. */
  keeps?: boolean
}

/** Accepts all mail, without TLS or sign-in unless the options require them. */
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
      // A client that disconnects before the end of a message has sent none.
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

/** The mail server of a service that sends its own mail. */
export interface ServiceMail extends AsyncDisposable {
  /** The settings of the service. */
  env: Record<string, string>
  /** The accepted mails, once for each recipient. */
  mails: { to: string; mail: ParsedMail }[]
  /** Answers the next mails with this code instead of accepting them. */
  refuse(code: number | undefined): void
}

/** `from` is the sender address of the service. */
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
