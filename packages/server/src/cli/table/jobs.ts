/** `waypost jobs …`. */
import type { Noun, Option, Word } from '../program/command.ts'
import { limit } from './options.ts'

const module = () => import('../jobs.ts')
const job: Word = { name: 'JOB_ID', summary: 'id of the job from "waypost jobs list"', optional: true }
const kind: Option = { value: 'KIND', summary: 'only jobs of this kind, such as mail.send' }
const app: Option = {
  value: 'APPLICATION',
  summary: 'only jobs of this application, by id or name (default: all applications)',
  completes: 'applications',
}
const all: Option = { summary: 'all failed jobs' }
const more = 'Use one of JOB_ID, --kind or --all.'

export const jobs: Noun = {
  summary: 'Background jobs that failed permanently: list, retry, discard',
  list: 'list',
  verbs: {
    list: {
      summary: 'List failed jobs with their last error, newest first',
      options: { app, kind, limit },
      examples: { 'waypost jobs list --kind mail.send': 'mails that could not be sent' },
      json: 'an array of failed jobs, as returned by GET /v3/admin/failed-jobs: [{"id": "…", "kind": "mail.send", "error": "unreachable", "message": "…", "remedy": "…", "attempts": 10, …}]',
      onStore: async () => (await module()).jobsList,
    },
    retry: {
      summary: 'Retry a failed job, those of a kind, or all; a running server does them immediately',
      more,
      words: [job],
      options: { kind, all, app },
      examples: {
        'waypost jobs retry JOB_ID': 'with all its attempts again',
        'waypost jobs retry --kind mail.send': 'after the mail server was repaired',
      },
      json: '{"retried": 12}',
      onStore: async () => (await module()).jobsRetry,
    },
    discard: {
      summary: 'Delete a failed job, those of a kind, or all; they are never done',
      more,
      words: [job],
      options: { kind, all, app },
      examples: { 'waypost jobs discard JOB_ID': 'if it is not needed any more' },
      json: '{"discarded": 1}',
      onStore: async () => (await module()).jobsDiscard,
    },
  },
}
