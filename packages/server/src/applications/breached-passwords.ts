/**
 * Passwords that stand in published breaches, the most frequent ones (OWASP ASVS 5.0, 6.2.4 and 6.2.12). The list comes
 * with a package, so that no password leaves the machine. It is read for each check and not held in memory: people choose
 * a password rarely, and reading takes a few milliseconds.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const listed = '@zxcvbn-ts/language-common/src/passwords.json'
const List = z.array(z.string())

/** Digits and signs around a listed password that make it no better. */
const mostAround = 4
const shortestCore = 6

/** What a password must not be: itself, and without the few digits and signs around it. */
export function formsOf(password: string): string[] {
  const text = password.toLowerCase()
  const core = text.replaceAll(/^[\W\d_]+|[\W\d_]+$/g, '')
  const isPadded = core.length >= shortestCore && text.length - core.length <= mostAround
  return [...new Set([password, text, ...(isPadded ? [core] : [])])]
}

/** Whether a password is on the list. */
export async function isBreached(password: string): Promise<boolean> {
  const list = List.parse(JSON.parse(await readFile(fileURLToPath(import.meta.resolve(listed)), 'utf8')))
  return formsOf(password).some((form) => list.includes(form))
}
