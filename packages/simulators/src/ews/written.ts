// Operations of tests without the API run as if a client had made them: plain values are converted to the elements of
// a request.
import type { EwsCall, World } from './model.ts'
import type { Account } from './owner.ts'
import { namespaces } from './xml/namespaces.ts'
import type { XmlNode } from './xml/read.ts'

/**
 * An element as plain values: `{ Subject: 'Hi', Body: { '@BodyType': 'Text', '#': 'there' }, Categories: { String:
 * ['a', 'b'] } }`. Names that begin with `@` are attributes, `#` is the text.
 */
export type WrittenValue =
  | string
  | number
  | boolean
  | { readonly [name: string]: WrittenValue | readonly WrittenValue[] }
export type WrittenBody = { readonly [name: string]: WrittenValue | readonly WrittenValue[] }

export function writtenNode(name: string, value: WrittenValue): XmlNode {
  const empty = { namespace: namespaces.t, name, attributes: {}, children: [], text: '' }
  if (typeof value !== 'object') return { ...empty, text: String(value) }
  const entries = Object.entries(value)
  const attributes = entries.filter(([key]) => key.startsWith('@')).map(([key, text]) => [key.slice(1), String(text)])
  return {
    ...empty,
    attributes: Object.fromEntries(attributes),
    text: value['#'] === undefined ? '' : String(value['#']),
    children: entries
      .filter(([key]) => !/^[@#]/.test(key))
      .flatMap(([key, inner]) => [inner].flat().map((each) => writtenNode(key, each as WrittenValue))),
  }
}

/** The call that a client of the account would have made. */
export function writtenCall(
  world: World,
  account: Account,
  { operation, attributes = {} }: { operation: string; attributes?: Readonly<Record<string, string>> },
): EwsCall {
  const request = { namespace: namespaces.m, name: operation, attributes, children: [], text: '' }
  return {
    world,
    account,
    operation,
    request,
    header: undefined,
    schema: world.server.schema,
    zone: 'UTC',
    milliseconds: false,
    signal: new AbortController().signal,
  }
}
