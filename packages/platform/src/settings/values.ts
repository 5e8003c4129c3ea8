/** Types of setting values, parsed from environment variables. */

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { closest } from '../closest.ts'

/** Describes a setting in error messages. */
export interface SettingWords {
  /** The expected value, such as "a whole number from 0 to 65535". */
  wants: string
  example: string
  /** The given value is never printed. */
  secret?: true
}

/** Attaches the description to a type. */
export const said = <T extends z.ZodType>(form: T, wants: string, example: string, secret?: 'secret'): T =>
  form.meta({ wants, example, ...(secret ? { secret: true } : {}) })

/** The description of a type. */
export function wordsOf(form: z.core.$ZodType): SettingWords | undefined {
  const { wants, example, secret } = z.globalRegistry.get(form) ?? {}
  if (typeof wants !== 'string' || typeof example !== 'string') return undefined
  return { wants, example, ...(secret === true ? { secret } : {}) }
}

/** A whole number. */
export const whole = (least: number, max: number, usual: number, what = '') =>
  said(
    z.coerce.number().int().min(least).max(max).default(usual),
    `a whole number from ${least} to ${max}${what}`,
    String(usual),
  )

export const text = (wants: string, example: string, secret?: 'secret') =>
  said(z.string().trim().min(1).optional(), wants, example, secret)

export const flag = (usual: boolean) =>
  said(
    z
      .enum(['true', 'false', '1', '0', 'on', 'off'])
      .transform((value) => value === 'true' || value === '1' || value === 'on')
      .default(usual),
    'on or off',
    usual ? 'on' : 'off',
  )

/** A URL without a trailing slash. */
export const baseAddress = (example = 'http://127.0.0.1:3100') =>
  said(
    z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
    'an address that begins with http:// or https://',
    example,
  )

/** Texts separated by commas. */
export const list = () =>
  z.string().transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )

/** One of a fixed set of words. */
export const oneOf = <const T extends readonly string[]>(words: T, usual: NoInfer<T[number]>) =>
  said(z.enum(words).default(usual as never), words.join(', ').replace(/, ([^,]*)$/, ' or $1'), usual)

// Messages for wrong settings: the given value, the expected one, and a suggestion.

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

// Settings read from files, as containers and services provide secrets, so that they are not in the environment.

const ending = '_FILE'

/**
 * Returns the environment with each `<setting>_FILE` replaced by the file's content without its final line break, and
 * the problems found. `isSetting` decides which names count.
 */
export function withSettingFiles(
  env: NodeJS.ProcessEnv,
  isSetting: (name: string) => boolean,
): { env: NodeJS.ProcessEnv; problems: string[] } {
  const problems: string[] = []
  const read: NodeJS.ProcessEnv = { ...env }
  for (const [variable, file] of Object.entries(env)) {
    const name = variable.slice(0, -ending.length)
    if (!variable.endsWith(ending) || !isSetting(name) || isSetting(variable)) continue
    delete read[variable]
    if (!file) continue
    if (env[name]) problems.push(`${name} and ${variable} are both set: remove one`)
    try {
      read[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      problems.push(`${variable}: ${file} cannot be read (${codeOf(error)})`)
    }
  }
  return { env: read, problems }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : error)
