/** A delivery that is carried from its attempt to the page that checks signatures: in memory, and once. */
import type { AttemptRequest } from '@waypost/sdk'

export interface Question {
  headers: string
  body: string
}

let kept: Question | undefined

export const keepQuestion = ({ headers, body }: AttemptRequest): void => {
  kept = {
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    body,
  }
}

export function takeQuestion(): Question {
  const taken = kept ?? { headers: '', body: '' }
  kept = undefined
  return taken
}

/** Lines of `name: value`, as tools show headers; others are passed over. */
export function headersIn(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^\s*[<>]?\s*([A-Za-z0-9-]+)\s*[:=]\s*(.*)$/.exec(line))
  return Object.fromEntries(lines.flatMap((found) => (found?.[1] ? [[found[1].toLowerCase(), found[2] ?? '']] : [])))
}
