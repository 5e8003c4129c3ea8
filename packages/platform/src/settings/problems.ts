/** Messages for wrong settings: the given value, the expected one, and a suggestion. */
import type { z } from 'zod'
import { closest } from '../closest.ts'
import { wordsOf } from './values.ts'

const maxLength = 60

/** The given value as far as it may be printed: no secrets, no terminal control characters. */
const shown = (value: string): string =>
  `"${value.slice(0, maxLength).replaceAll(/\p{C}/gu, '?')}${value.length > maxLength ? '…' : ''}"`

/** The problem with a value, or undefined if it is valid. */
export function settingProblem(
  name: string,
  form: z.ZodType,
  { value, isSecret }: { value: string | undefined; isSecret: boolean },
): string | undefined {
  const parsed = form.safeParse(value)
  if (parsed.success) return undefined
  const words = wordsOf(form)
  const given =
    isSecret || words?.secret || value === undefined ? 'has a wrong value (not shown)' : `is ${shown(value)}`
  if (!words) return `${name} ${given}: ${parsed.error.issues.map(({ message }) => message).join('; ')}`
  return `${name} ${given}: it takes ${words.wants}, such as ${name}=${words.example}`
}

const prefix = 'WAYPOST_'

/** Clients and examples read the address of the service from this. It may be set in the shell of a command. */
const clientAddress = 'WAYPOST_URL'

/** Names that look like settings but are not: typing mistakes that would otherwise go unnoticed. */
export function unknownSettings(names: readonly string[], known: readonly string[]): string[] {
  const short = known.map((name) => name.replace(prefix, ''))
  return names
    .filter((name) => name.startsWith(prefix) && name !== clientAddress && !known.includes(name))
    .map((name) => {
      const meant = closest(name.slice(prefix.length), short)
      const full = meant === undefined ? undefined : known[short.indexOf(meant)]
      return `${name} is not a setting: ${full === undefined ? '' : `did you mean ${full}? `}See example.env for the list`
    })
}
