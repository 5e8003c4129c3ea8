/** Exports of v2 for tests, and the import of them into a service. */
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database } from '@waypost/store/engine/database'
import { type ImportOptions, importExport } from '../../src/migration/import.ts'
import type { ImportReport } from '../../src/migration/report.ts'
import type { TestService } from '../harness.ts'

export type V2Object = Record<string, unknown>
export interface V2Account extends V2Object {
  id: string
  calendars: V2Object[]
  events: V2Object[]
}

/** 2026-11-23T09:00 in Berlin, a Monday. */
export const monday = 1_795_420_800
export const hour = 3600
export const week = 7 * 24 * hour

export const timespan = (start: number, length = hour): V2Object => ({ start_time: start, end_time: start + length })

export const event = (id: string, more: V2Object = {}): V2Object => ({
  id,
  calendar_id: 'cal',
  title: `Event ${id}`,
  when: timespan(monday),
  status: 'confirmed',
  busy: true,
  participants: [],
  updated_at: 1_790_000_000,
  created_at: 1_700_000_000,
  ...more,
})

export const account = (name: string, more: V2Object = {}): V2Account => ({
  id: `acc-${name}`,
  email: `${name}@example.com`,
  name: `The ${name}`,
  provider: 'nylas',
  calendars: [{ id: 'cal', name: 'Main', timezone: 'Europe/Berlin', read_only: false }],
  events: [],
  ...more,
})

/** The same export as lines, in the order in which the v2 API would give them. */
export function linesOf(accounts: readonly V2Account[]): string {
  const lines = accounts.flatMap(({ calendars, events, ...own }) => [
    { object: 'account', ...own },
    ...calendars.map((one) => ({ object: 'calendar', account_id: own.id, ...one })),
    ...events.map((one) => ({ object: 'event', account_id: own.id, ...one })),
  ])
  return lines.map((one) => JSON.stringify(one)).join('\n')
}

export interface ImportFile {
  /** The application; the sandbox when absent. */
  app?: string
  name?: string
  dryRun?: boolean
  progress?: ImportOptions['progress']
  /** A store that behaves otherwise than the service's. */
  database?: Database
}

/** Imports a text as it would stand in a file. */
export async function importText(
  service: TestService,
  text: string | Buffer,
  file: ImportFile = {},
): Promise<ImportReport> {
  const { config } = service.services
  const { database, secrets, log, clock } = service.services.storage
  const { providers } = service.services.accounts
  const { installation } = service.services.administration
  const { stopping } = service.services.runtime
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-import-'))
  const name = path.join(folder.path, file.name ?? 'export.json')
  await writeFile(name, text)
  return await importExport(name, {
    database: file.database ?? database,
    applicationId: file.app ?? installation.sandboxId,
    dryRun: file.dryRun ?? false,
    secrets,
    log,
    clock,
    providers,
    ioFor: (kind) => service.services.accounts.ioFor(kind, stopping),
    stopping,
    baseUrl: config.baseUrl,
    progress: file.progress ?? (() => undefined),
  })
}

export const importAccounts = (service: TestService, accounts: readonly V2Object[], file?: ImportFile) =>
  importText(service, JSON.stringify({ accounts }), file)

/** Reads through the API; the answer's data. */
export async function read(service: TestService, target: string, key?: string) {
  const answer = await service.call('GET', target, { key })
  return answer.status === 200 ? answer.body.data : answer.status
}

/** Every event of a calendar, masters and changed occurrences, as the API gives them. */
export const eventsOf = (service: TestService, grant: string, calendar = 'cal', key?: string) =>
  read(
    service,
    `/v3/grants/${encodeURIComponent(grant)}/events/import?calendar_id=${calendar}&limit=500&start=${monday - 52 * week}&end=${monday + 52 * week}`,
    key,
  )
