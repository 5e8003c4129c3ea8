import { importExport } from '../migration/import.ts'
import { hasImported, type ImportReport, type Remarks } from '../migration/report.ts'
import { ExportUnreadable } from '../migration/v2-objects.ts'
import { noteCommand } from './audit.ts'
import { findApplication } from './named.ts'
import { needWord, type StoreRun } from './program/command.ts'
import { type Output, printObject } from './program/output.ts'

const progressEveryMs = 1_000
/** Number of reasons shown to people; `--json` has more. */
const maxShown = 100

export const importV2: StoreRun = async (services, args, output) => {
  const { config } = services
  const { database, secrets, log, clock } = services.storage
  const { providers } = services.accounts
  const { stopping } = services.runtime
  const file = needWord(args, 0, 'FILE')
  const { id: applicationId } = await findApplication(services, args)
  let reported = 0
  output.progress(`Reading ${file}`)
  const report = await importExport(file, {
    database,
    applicationId,
    dryRun: args.options['dry-run'] === true,
    secrets,
    log,
    clock,
    providers,
    ioFor: (kind) => services.accounts.ioFor(kind, stopping),
    stopping,
    baseUrl: config.baseUrl,
    progress({ done, total, report: { accounts, events } }) {
      if (done < total && clock.now() - reported < progressEveryMs) return
      reported = clock.now()
      const written = events.created + events.updated
      output.progress(`${done} of ${total} accounts: ${written} events written, ${accounts.skipped} accounts skipped`)
    },
  })
  if (!report.dry_run) {
    await noteCommand(database, services, { action: 'import-v2', applicationId: report.application_id })
  }
  print(output, report)
  if (report.stopped !== null) throw new ExportUnreadable(`the import stopped at ${report.stopped}`)
  if (!hasImported(report)) throw new ExportUnreadable('nothing was imported')
}

const counts = (object: Record<string, number>): string =>
  Object.entries(object)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')

function print(output: Output, report: ImportReport): void {
  const { skipped, altered } = report
  if (output.json) {
    const lists = { skipped: skipped.listed, skipped_total: skipped.total }
    printObject(output, { ...report, ...lists, altered: altered.listed, altered_total: altered.total })
    return
  }
  printObject(output, {
    application_id: report.application_id,
    ...(report.dry_run ? { dry_run: 'nothing was saved' } : {}),
    ...(report.connector_created
      ? { connector: 'created, because the application had none for virtual calendars' }
      : {}),
    accounts: counts(report.accounts),
    calendars: counts({ ...report.calendars }),
    events: counts({ ...report.events }),
    not_migrated: counts({ ...report.dropped }),
  })
  printRemarks(output, 'Skipped', skipped)
  printRemarks(output, 'Altered', altered)
}

function printRemarks(output: Output, title: string, { listed, total }: Remarks): void {
  if (total === 0) return
  const lines = listed.slice(0, maxShown).map(({ account, object, id, place, reason }) => {
    const what = [account, id === null || id === account ? object : `${object} ${id}`].filter(Boolean).join(', ')
    // Control characters from the file must not reach the terminal.
    return `  ${place}: ${what}: ${reason}`.replace(/\p{C}/gu, '?')
  })
  const more = total > lines.length ? [`  … and ${total - lines.length} more; --json lists them`] : []
  output.write([`\n${title}: ${total}`, ...lines, ...more].join('\n'))
}
