/** Options that several commands take, each said once. */
import type { Option } from '../program/command.ts'

export const app: Option = {
  value: 'APPLICATION',
  summary: 'the application, by its id or its name (default: the sandbox)',
  completes: 'applications',
}

/** How many rows lists show. */
export const usualLimit = 200
export const limit: Option = {
  value: 'N',
  summary: 'how many at most',
  atLeast: 1,
  usual: String(usualLimit),
}

export const start: Option = {
  value: 'TIME',
  summary: 'from this time on: seconds since 1970, or a date such as 2026-11-15T06:00:00Z',
}
export const end: Option = { value: 'TIME', summary: 'until this time, in the same forms' }
export const notification: Option = { value: 'ID', summary: 'one notification alone' }
