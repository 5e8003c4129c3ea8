/** Login with an access token: XOAUTH2 as used by Google, Microsoft and Yahoo, or OAUTHBEARER (RFC 7628). */

import { ConnectionFailed } from '../mail/connection-failed.ts'
import { wordsAbout } from '../mail/server-account.ts'
import { ConnectionLost, type Dialogue, type Reply } from './dialogue.ts'

interface Bearer {
  user: string
  accessToken: string
  host: string
  port: number
}

interface Mechanism {
  name: string
  message(bearer: Bearer): string
  /** The response to the server's error details, after which it refuses the login. */
  acknowledgement: string
}

const mechanisms: readonly Mechanism[] = [
  {
    name: 'XOAUTH2',
    message: ({ user, accessToken }) => `user=${user}\x01auth=Bearer ${accessToken}\x01\x01`,
    acknowledgement: '',
  },
  {
    name: 'OAUTHBEARER',
    message: ({ user, accessToken, host, port }) =>
      `n,a=${escaped(user)},\x01host=${host}\x01port=${port}\x01auth=Bearer ${accessToken}\x01\x01`,
    acknowledgement: 'AQ==',
  },
]

/** A name in a GS2 header (RFC 5801 §4). */
const escaped = (user: string): string => user.replaceAll('=', '=3D').replaceAll(',', '=2C')

const replyMs = 10_000

/** Logs in with the first mechanism that the server offers. Throws only `ConnectionFailed`. */
export async function tokenLogin(dialogue: Dialogue, offered: readonly string[], bearer: Bearer): Promise<void> {
  const where = `${bearer.host} port ${bearer.port}`
  const mechanism = mechanisms.find(({ name }) => offered.includes(name))
  if (!mechanism) throw new ConnectionFailed('method', `${where} does not support login with a token`)
  const { name, message, acknowledgement } = mechanism
  const ask = async (line: string): Promise<Reply> => (await dialogue.ask([line], replyMs))[0] ?? { code: 0, text: '' }
  try {
    let reply = await ask(`AUTH ${name} ${Buffer.from(message(bearer)).toString('base64')}`)
    if (reply.code === 334) reply = await ask(acknowledgement)
    const { code, text } = reply
    if (code === 235) return
    // This kind of refusal says nothing about the token.
    const isTransient = code >= 400 && code < 500
    throw isTransient
      ? new ConnectionFailed('connect', `${where} cannot log the account in at the moment`)
      : new ConnectionFailed(
          'credentials',
          `${where} did not accept the user name and the password or token`,
          undefined,
          wordsAbout(bearer, `${code} ${text}`),
        )
  } catch (error) {
    throw error instanceof ConnectionLost
      ? new ConnectionFailed('connect', `${where} closed the connection`, error)
      : error
  }
}
