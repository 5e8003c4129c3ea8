/** `waypost grants …`. */
import type { Noun, Word } from '../program/command.ts'
import { app, end, limit, start } from './options.ts'

const module = () => import('../grants.ts')
const grant: Word = { name: 'GRANT', summary: 'the grant: its id, its address, or external:<external id>' }

export const grants: Noun = {
  summary: 'The connected accounts of end users',
  list: 'list',
  verbs: {
    list: {
      summary: 'List the grants of an application, newest first',
      options: { app, limit },
      examples: {
        'waypost grants list': 'of the sandbox application',
        'waypost grants list --app "My application" --limit 20': 'the newest twenty',
      },
      json: 'an array of grants, as returned by GET /v3/grants: [{"id": "…", "provider": "imap", "email": "…", "grant_status": "valid", …}]',
      onStore: async () => (await module()).grantsList,
    },
    show: {
      summary: 'Show one grant, by id or address',
      words: [grant],
      options: { app },
      examples: { 'waypost grants show me@example.com': 'same as GET /v3/grants/{id}' },
      json: 'the grant, as returned by GET /v3/grants/{id}: {"id": "…", "provider": "imap", "grant_status": "valid", …}',
      onStore: async () => (await module()).grantsShow,
    },
    revoke: {
      summary: 'Make a grant invalid; it keeps its data and can be authenticated again',
      words: [grant],
      options: { app },
      examples: { 'waypost grants revoke me@example.com --app "My application"': 'sends grant.expired' },
      json: '{"id": "…", "grant_status": "invalid"}',
      onStore: async () => (await module()).grantsRevoke,
    },
    delete: {
      summary: 'Delete a grant and its data',
      words: [grant],
      options: { app },
      examples: { 'waypost grants delete me@example.com': 'data at its provider is not deleted' },
      json: '{"id": "…", "status": "deleted"}',
      onStore: async () => (await module()).grantsDelete,
    },
    export: {
      summary: 'Write the mail, calendars and contacts of a grant, or of all grants, to files',
      more: 'Each account gets a folder of its own. The position is saved after each page: after an interruption, --resume continues without losing or repeating anything. An account that fails does not stop the others; the exit code is then 1.',
      words: [{ ...grant, optional: true }],
      options: {
        app,
        all: { summary: 'all grants of the application, instead of one' },
        data: {
          value: 'KINDS',
          summary: 'mail, calendar and contacts, separated by commas',
          usual: 'mail,calendar,contacts',
        },
        format: {
          value: 'FORMATS',
          summary: 'mbox, eml or ndjson for mail; ics or ndjson; vcf or ndjson; separated by commas',
          usual: 'mbox,ics,vcf',
        },
        out: { value: 'FOLDER', summary: 'where the files are written', completes: 'files' },
        start: {
          ...start,
          summary: 'only mail received and events that end after this time; a date or seconds since 1970',
        },
        end: { ...end, summary: 'only mail received and events that begin before this time' },
        resume: { summary: 'continue the export in the folder' },
      },
      examples: {
        'waypost grants export me@example.com --out backup': 'mail.mbox, calendars and contacts.vcf',
        'waypost grants export --all --data mail --format eml --out backup --resume': 'continue after an interruption',
      },
      json: '{"out": "…", "accounts": [{"grant_id": "…", "email": "…", "status": "complete", "messages": 1204, "events": 90, "contacts": 31, "skipped": 0, "left_out": [], "problems": []}]}',
      onStore: async () => (await import('../export/command.ts')).grantsExport,
    },
    usage: {
      summary: 'Show billed grants by application: every verified grant that is not deleted',
      options: { app: { ...app, summary: 'one application, by id or name (default: all)' } },
      examples: { 'waypost grants usage': 'this month, for all applications' },
      json: 'an array of usages, as returned by GET /v3/admin/usage: [{"application_id": "…", "name": "…", "billed_grants": 2, "by_provider": {"imap": 2}, …}]',
      onStore: async () => (await module()).grantsUsage,
    },
  },
}
