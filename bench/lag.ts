/**
 * How long others wait while a node is given something large: mail that strangers made large, answers of a strange mail
 * server, uploads, pages of large messages. The first line is the floor: nothing large at all.
 *
 *   npm run bench:lag [-- --quick] [-- --json] [-- --only=mail|answers|uploads|pages|google]
 */
import { startDovecot } from '../packages/server/test/peers/dovecot.ts'
import { report, rowOf } from './figures.ts'
import { answersCases } from './lag/answers.ts'
import { googleCases } from './lag/google.ts'
import { mailCases } from './lag/mail.ts'
import type { Lag } from './lag/measure.ts'
import { pagesCases } from './lag/pages.ts'
import { uploadsCases } from './lag/uploads.ts'

const only = process.argv.find((word) => word.startsWith('--only='))?.slice(7)
const cases = {
  mail: mailCases,
  answers: answersCases,
  uploads: uploadsCases,
  pages: pagesCases,
  google: googleCases,
}

await using server = await startDovecot({ connectionsPerUser: 100 })
const figures: Record<string, Lag> = {}
for (const [name, run] of Object.entries(cases)) {
  if (only === undefined || only.split(',').includes(name)) Object.assign(figures, await run(server))
}
const unitOf = (name: string): string => name.split(', ')[1] ?? ''
report(
  Object.entries(figures).flatMap(([name, lag]) =>
    Object.entries(lag).map(([what, figure]) =>
      rowOf(`${name}: ${what.split(', ')[0]}`, { figure, unit: unitOf(what) }),
    ),
  ),
)
