// Two accounts of a simulated Google and Google's own Gmail client for them; every exchange is checked against the
// published schemas.
import { gmail, type gmail_v1 } from '@googleapis/gmail'
import { OAuth2Client } from 'google-auth-library'
import { type GoogleOptions, type GoogleSimulator, type SimulatedAccount, startGoogle } from '../src/index.ts'
import { checkExchange } from './discovery.ts'

export interface TestAccount extends AsyncDisposable {
  readonly google: GoogleSimulator
  readonly ada: SimulatedAccount
  readonly bob: SimulatedAccount
  /** The Gmail client for `account`. */
  gmailOf(account: SimulatedAccount, scopes?: readonly string[]): gmail_v1.Gmail
}

const ALL = ['https://mail.google.com/']

export async function openAccount(options: GoogleOptions = {}): Promise<TestAccount> {
  const google = await startGoogle(options)
  const strays: unknown[] = []
  google.observe((exchange) => {
    try {
      checkExchange(exchange)
    } catch (error) {
      strays.push(error)
    }
  })
  const ada = google.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace', aliases: ['countess@example.com'] })
  const bob = google.addAccount({ email: 'bob@gmail.com', name: 'Bob' })
  return {
    google,
    ada,
    bob,
    gmailOf(account, scopes = ALL) {
      const auth = new OAuth2Client()
      auth.setCredentials({ access_token: google.grantToken(account.email, scopes).accessToken })
      return gmail({ version: 'v1', auth, rootUrl: `${google.url}/`, retry: false })
    },
    async [Symbol.asyncDispose]() {
      await google[Symbol.asyncDispose]()
      if (strays.length > 0) throw new AggregateError(strays, strays.map(String).join('\n'))
    },
  }
}

/** A message with a few headers and a text. */
export function mimeMessage(fields: Record<string, string>, text = 'Hello'): string {
  const all = { From: 'carol@example.net', To: 'ada@example.com', 'Message-ID': `<${crypto.randomUUID()}@example.net>` }
  const head = Object.entries({ ...all, ...fields }).map(([name, value]) => `${name}: ${value}`)
  return [...head, '', text].join('\r\n')
}

export function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}

/** The status and reason of a failed call. */
export async function refusalOf(call: Promise<unknown>): Promise<{ status: number; reason: string }> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof Error) || !('response' in error)) throw error
    const { response } = error as Error & {
      response: { status: number; data: { error: { errors: { reason: string }[] } } }
    }
    return { status: response.status, reason: response.data.error.errors[0]?.reason ?? '' }
  }
  throw new Error('it did not fail')
}
