// A simulated Exchange for a test, and requests to it written by hand.

import { readXml, type XmlNode } from '../src/ews/xml/read.ts'
import { type ExchangeOptions, type ExchangeSimulator, startExchange } from '../src/index.ts'
import { checkingSchema } from './ews-schema.ts'

export const PASSWORD = 'simulated-password'

export interface CheckedExchange extends AsyncDisposable {
  readonly exchange: ExchangeSimulator
  /** Throws the schema violations. */
  check(): void
}

/** Has `ada@exchange.example` and `grace@exchange.example`; schema violations are reported when it ends. */
export async function openExchange(options: ExchangeOptions = {}): Promise<CheckedExchange> {
  const exchange = await startExchange(options)
  const check = checkingSchema(exchange)
  exchange.addAccount({ email: 'ada@exchange.example', name: 'Ada Lovelace', password: PASSWORD })
  exchange.addAccount({ email: 'grace@exchange.example', name: 'Grace Hopper', password: PASSWORD })
  return {
    exchange,
    check,
    async [Symbol.asyncDispose]() {
      await exchange[Symbol.asyncDispose]()
      check()
    },
  }
}

export interface Asked {
  /** Default `Exchange2013_SP1`. */
  readonly version?: string
  /** Further elements of the header. */
  readonly header?: string
  /** Default ada@exchange.example. */
  readonly user?: string
  readonly password?: string
}

export const basic = (user: string, password = PASSWORD): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

export const envelope = (body: string, { version = 'Exchange2013_SP1', header = '' }: Asked = {}): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"
  xmlns:m="http://schemas.microsoft.com/exchange/services/2006/messages"
  xmlns:t="http://schemas.microsoft.com/exchange/services/2006/types">
  <soap:Header><t:RequestServerVersion Version="${version}"/>${header}</soap:Header>
  <soap:Body>${body}</soap:Body>
</soap:Envelope>`

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The content of the envelope's body; undefined if there is no envelope. */
  readonly body: XmlNode | undefined
}

/** Sends a request, given as the element of the operation, for a user. */
export async function ask(exchange: ExchangeSimulator, body: string, requested: Asked = {}): Promise<Answer> {
  const response = await fetch(exchange.ewsUrl, {
    method: 'POST',
    headers: {
      'content-type': 'text/xml; charset=utf-8',
      authorization: basic(requested.user ?? 'ada@exchange.example', requested.password),
    },
    body: envelope(body, requested),
  })
  const text = await response.text()
  const isXml = /xml/.test(response.headers.get('content-type') ?? '')
  const found = isXml ? readXml(text).children.find(({ name }) => name === 'Body')?.children[0] : undefined
  return { status: response.status, headers: response.headers, text, body: found }
}

/** All descendants of a node with a name, in document order. */
export function all(node: XmlNode | undefined, name: string): XmlNode[] {
  if (node === undefined) return []
  return node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)])
}

/** The texts of all elements with a name. */
export const texts = (node: XmlNode | undefined, name: string): string[] => all(node, name).map(({ text }) => text)

export const codes = (answer: Answer): string[] => texts(answer.body, 'ResponseCode')
