// Accounts of a simulated Microsoft and Microsoft's own Graph client for them; every exchange is checked against the
// published types.
import { Client, type Context } from '@microsoft/microsoft-graph-client'
import {
  type MicrosoftOptions,
  type MicrosoftSimulator,
  type SimulatedMicrosoftAccount,
  startMicrosoft,
} from '../src/index.ts'
import { checkGraphExchange } from './graph-types.ts'

export interface GraphAccounts extends AsyncDisposable {
  readonly microsoft: MicrosoftSimulator
  readonly ada: SimulatedMicrosoftAccount
  readonly grace: SimulatedMicrosoftAccount
  /** A personal account. */
  readonly home: SimulatedMicrosoftAccount
  /** The Graph client for `account`. */
  graphOf(account: SimulatedMicrosoftAccount, scopes?: readonly string[]): Client
  /** The headers of a raw request by `account`. */
  headersOf(account: SimulatedMicrosoftAccount, scopes?: readonly string[]): Record<string, string>
}

const ALL = [
  'User.Read.All',
  'Mail.ReadWrite',
  'Mail.ReadWrite.Shared',
  'Mail.Send',
  'Mail.Send.Shared',
  'Calendars.ReadWrite',
  'Calendars.ReadWrite.Shared',
  'Contacts.ReadWrite',
  'Place.Read.All',
]

export async function openGraph(options: MicrosoftOptions = {}): Promise<GraphAccounts> {
  const microsoft = await startMicrosoft(options)
  const strays: unknown[] = []
  microsoft.observe((exchange) => {
    try {
      checkGraphExchange(exchange)
    } catch (error) {
      strays.push(error)
    }
  })
  const tokenOf = (email: string, scopes: readonly string[]) => microsoft.grantToken(email, scopes).accessToken
  return {
    microsoft,
    ada: microsoft.addAccount({ email: 'ada@contoso.example', name: 'Ada Lovelace', aliases: ['al@contoso.example'] }),
    grace: microsoft.addAccount({ email: 'grace@contoso.example', name: 'Grace Hopper' }),
    home: microsoft.addAccount({ email: 'ada@outlook.example', name: 'Ada', kind: 'personal' }),
    graphOf(account, scopes = ALL) {
      const authorization = `Bearer ${tokenOf(account.email, scopes)}`
      return Client.initWithMiddleware({
        baseUrl: `${microsoft.url}/`,
        defaultVersion: 'v1.0',
        // The client's own handlers send tokens only over https, and retry after failures.
        middleware: { execute: (context) => ask(context, authorization) },
      })
    },
    headersOf: (account, scopes = ALL) => ({ authorization: `Bearer ${tokenOf(account.email, scopes)}` }),
    async [Symbol.asyncDispose]() {
      await microsoft[Symbol.asyncDispose]()
      if (strays.length > 0) throw new AggregateError(strays, strays.map(String).join('\n'))
    },
  }
}

async function ask(context: Context, authorization: string): Promise<void> {
  const url = context.request.toString()
  // The client treats full URLs that are not https, such as those of upload sessions, as paths.
  const target = url.slice(url.lastIndexOf('http://'))
  const headers = new Headers(context.options?.headers as Record<string, string>)
  if (target.includes('/v1.0/')) headers.set('authorization', authorization)
  context.response = await fetch(target, { ...(context.options as RequestInit), headers })
}

/** A link of a response in the form that the client accepts: it recognizes only full https URLs. */
export function pathOf(link: string): string {
  return link.slice(link.indexOf('/v1.0/') + '/v1.0'.length)
}

/** The status and code of a failed call. */
export async function graphRefusal(call: Promise<unknown>): Promise<{ status: number; code: string }> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof Error) || !('statusCode' in error)) throw error
    const { statusCode, code } = error as Error & { statusCode: number; code: string }
    return { status: statusCode, code }
  }
  throw new Error('it did not fail')
}

/** A message with a few headers and a text. */
export function mimeMail(fields: Record<string, string>, text = 'Hello'): string {
  const all = {
    From: 'Carol <carol@example.net>',
    To: 'ada@contoso.example',
    'Message-ID': `<${crypto.randomUUID()}@example.net>`,
  }
  const head = Object.entries({ ...all, ...fields }).map(([name, value]) => `${name}: ${value}`)
  return [...head, '', text].join('\r\n')
}
