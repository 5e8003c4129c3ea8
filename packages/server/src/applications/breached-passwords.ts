/**
 * Passwords that stand in published breaches, the most frequent ones (OWASP ASVS 5.0, 6.2.4 and 6.2.12). The list comes
 * with a package, so that no password leaves the machine. It is loaded with the first password that is checked, as a
 * module, so that the installable package contains it.
 */
import { z } from 'zod'

const List = z.array(z.string())

/** Digits and signs around a listed password that make it no better. */
const maxAffixLength = 4
const shortestCore = 6

/** What a password must not be: itself, and without the few digits and signs around it. */
export function formsOf(password: string): string[] {
  const text = password.toLowerCase()
  const core = text.replaceAll(/^[\W\d_]+|[\W\d_]+$/g, '')
  const isPadded = core.length >= shortestCore && text.length - core.length <= maxAffixLength
  return [...new Set([password, text, ...(isPadded ? [core] : [])])]
}

/** Whether a password is on the list. */
export async function isBreached(password: string): Promise<boolean> {
  const { default: listed } = await import('@zxcvbn-ts/language-common/src/passwords.json', { with: { type: 'json' } })
  const list = List.parse(listed)
  return formsOf(password).some((form) => list.includes(form))
}
