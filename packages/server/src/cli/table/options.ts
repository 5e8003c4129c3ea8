/** Options shared by several commands. */
import type { Option } from '../program/command.ts'

export const app: Option = {
  value: 'APPLICATION',
  summary: 'the application, by id or name (default: the sandbox)',
  completes: 'applications',
}

export const limit: Option = { value: 'N', summary: 'maximum number of rows', atLeast: 1, usual: '200' }

export const start: Option = {
  value: 'TIME',
  summary: 'start time: seconds since 1970, or a date such as 2026-11-15T06:00:00Z',
}
export const end: Option = { value: 'TIME', summary: 'end time, in the same formats' }
export const notification: Option = { value: 'ID', summary: 'only this notification' }
