/** Checks the guest's answers against the additional fields of a configuration. */
import { createContext, Script } from 'node:vm'
import type { AdditionalField, Configuration } from '@waypost/contract'
import { invalidFields } from '@waypost/platform/api-error'
import { wholePattern } from '@waypost/scheduling/configurations/check-parts'

type Answer = string | number | boolean | null

/** Processor time for all patterns of a request. V8 interrupts a regular expression that takes longer. */
const patternsMs = 50

/** On a busy machine the thread may wait longer for a processor than a pattern takes. */
const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Whether a whole value matches a pattern. */
type Match = (pattern: string, value: string) => boolean

/**
 * Matches the patterns of one request. A pattern is written by the application and the value by a stranger, so slow
 * matches are stopped. A value whose pattern was stopped, or had no time left, does not match.
 */
export function createMatch(): Match {
  const end = processorMs() + patternsMs
  return (pattern, value) => {
    const context = createContext(Object.assign(Object.create(null), { source: wholePattern(pattern).source, value }))
    // V8 measures real time, so an interrupted match is repeated while processor time is left.
    for (let left = end - processorMs(); left > 0; left = end - processorMs()) {
      try {
        return new Script('new RegExp(source).test(value)').runInContext(context, { timeout: Math.ceil(left) })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
      }
    }
    return false
  }
}

const textOf = (answer: Answer | undefined): string =>
  answer === undefined || answer === null || answer === false ? '' : String(answer)

/** Whether every chosen option exists. Several options are joined with commas, and may contain commas themselves. */
function areOptions(value: string, options: readonly string[]): boolean {
  const text = `${value},`
  // The positions at which an option may begin. Each is looked at once, whatever the options share.
  const begins = new Set([0])
  for (const at of begins) {
    for (const option of options) {
      if (text.startsWith(`${option},`, at)) begins.add(at + option.length + 1)
    }
  }
  return begins.has(text.length)
}

const hasOptions = (type: string): boolean => type === 'dropdown' || type === 'radio_button'

/** What is wrong with an answer, if anything. */
function problemOf(field: AdditionalField, value: string, matches: Match): string | undefined {
  const type: string = field.type
  if (value === '') return field.required && type !== 'metadata' ? 'is required' : undefined
  const options = field.options ?? []
  if (hasOptions(type) && !options.includes(value)) return 'must be one of the options'
  if (type === 'multi_select' && !areOptions(value, options)) return 'must be options, joined with commas'
  if (type === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value)) return 'must be an email address'
  if (type === 'date' && !/^\d{4}-\d{2}-\d{2}/.test(value)) return 'must be a date such as 2026-11-15'
  if (type === 'phone_number' && !/^[+\d][\d\s().\-/]{2,31}$/.test(value)) return 'must be a telephone number'
  if (field.pattern && !matches(field.pattern, value)) return 'does not have the required form'
  return undefined
}

/** The answers of a guest as texts. Throws if one is missing, too many, or wrong. */
export function readAnswers(
  { scheduler }: Configuration,
  given: Readonly<Record<string, Answer>>,
): Record<string, string> {
  const fields = scheduler.additional_fields ?? {}
  const problems: Record<string, string> = {}
  const answers: Record<string, string> = {}
  const matches = createMatch()
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(fields, key)) problems[`additional_fields.${key}`] = 'is not a field of this booking page'
  }
  for (const [key, field] of Object.entries(fields)) {
    const value = textOf(Object.hasOwn(given, key) ? given[key] : undefined)
    const problem = problemOf(field, value, matches)
    if (problem) problems[`additional_fields.${key}`] = problem
    else if (value !== '') answers[key] = value
  }
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
  return answers
}
