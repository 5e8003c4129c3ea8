/** Types of setting values, parsed from environment variables. */
import { z } from 'zod'

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
