/** Results as JSON. Those of 2026-07-28 say that they are complete, and who answers. */
import { version } from '@waypost/platform/versions'
import { metaKeys } from './envelope.ts'
import type { Exchange } from './exchange.ts'

export const serverInfo = { name: 'waypost', title: 'Waypost', version }

/** The fields that every result of 2026-07-28 has, without the braces. */
const common = JSON.stringify({ resultType: 'complete', _meta: { [metaKeys.serverInfo]: serverInfo } }).slice(1, -1)
const meta = JSON.stringify({ _meta: { [metaKeys.serverInfo]: serverInfo } }).slice(1, -1)

/** Encodes a result. A result that has its own `resultType` keeps it. */
export function encodeResult({ generation }: Pick<Exchange, 'generation'>, result: object): string {
  return joined(generation, JSON.stringify(result), 'resultType' in result)
}

/** The same for the fields of a result that are JSON already: an object. */
export const encodeText = ({ generation }: Pick<Exchange, 'generation'>, text: string): string =>
  joined(generation, text, false)

function joined(generation: Exchange['generation'], text: string, hasType: boolean): string {
  if (generation === 'older') return text
  const own = hasType ? meta : common
  return text === '{}' ? `{${own}}` : `{${own},${text.slice(1)}`
}
