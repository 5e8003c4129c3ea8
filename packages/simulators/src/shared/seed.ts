// Sample data shared by the simulators for development: two people who know each other, and their messages.

export const hour = 3_600_000
export const DAY = 24 * hour

/** The refresh token of a seeded account, the same at every start. */
export const seededToken = (email: string): string => `simulated-refresh-token-of-${email}`

export interface Person {
  readonly name: string
  readonly email: string
}

export interface Letter<P extends Person> {
  readonly from: P
  readonly to: P
  /** Milliseconds. */
  readonly at: number
  /** The complete message (RFC 5322). */
  readonly source: string
}

/** A correspondence, oldest message first. */
export function letters<P extends Person>(ada: P, grace: P, now: number): Letter<P>[] {
  const subject = 'Notes on the engine'
  const question =
    'Dear Ada,\r\n\r\nI have read your notes. When do you have time to talk about note G?\r\n\r\nGrace\r\n'
  const answer = 'Dear Grace,\r\n\r\nTomorrow at ten would suit me.\r\n\r\nAda\r\n'
  const moth = 'The first actual case of a bug being found. I have taped it into the log.\r\n'
  return [
    letter(grace, ada, { subject, text: question, at: now - 2 * DAY, id: 'seed-1' }),
    letter(ada, grace, { subject: `Re: ${subject}`, text: answer, at: now - DAY, id: 'seed-2', inReplyTo: 'seed-1' }),
    letter(grace, ada, { subject: 'A moth in the relay', text: moth, at: now - hour, id: 'seed-3' }),
  ]
}

interface Content {
  readonly subject: string
  readonly text: string
  readonly at: number
  readonly id: string
  readonly inReplyTo?: string
}

function letter<P extends Person>(from: P, to: P, { subject, text, at, id, inReplyTo }: Content): Letter<P> {
  const lines = [
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `From: ${from.name} <${from.email}>`,
    `To: ${to.name} <${to.email}>`,
    `Subject: ${subject}`,
    `Message-ID: <${id}@example.com>`,
    ...(inReplyTo === undefined
      ? []
      : [`In-Reply-To: <${inReplyTo}@example.com>`, `References: <${inReplyTo}@example.com>`]),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
  ]
  return { from, to, at, source: lines.join('\r\n') }
}
