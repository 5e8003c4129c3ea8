/** Passes a delivery from its attempt to the signature check page, in memory and once. */
import type { AttemptRequest } from '@waypost/sdk'

export interface Question {
  headers: string
  body: string
}

let retained: Question | undefined

export const setDeliveryToCheck = ({ headers, body }: AttemptRequest): void => {
  retained = {
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    body,
  }
}

export function takeDeliveryToCheck(): Question {
  const taken = retained ?? { headers: '', body: '' }
  retained = undefined
  return taken
}

/** Parses `name: value` lines; other lines are ignored. */
export function headersIn(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^\s*[<>]?\s*([A-Za-z0-9-]+)\s*[:=]\s*(.*)$/.exec(line))
  return Object.fromEntries(lines.flatMap((found) => (found?.[1] ? [[found[1].toLowerCase(), found[2] ?? '']] : [])))
}
