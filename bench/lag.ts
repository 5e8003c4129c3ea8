/**
 * How long other clients wait while a node processes something large: large mail from strangers, hostile responses of
 * a mail server, uploads, pages of large messages, costly series. The first row is the floor: nothing large.
 *
 *   npm run bench:lag [-- --quick] [-- --json] [-- --only=mail|answers|uploads|pages|google|dav|provider-answers|series]
 */
import { startDovecot } from '@waypost/testing/peers/dovecot'
import { type FigureRow, isForPrograms, report, rowOf } from './figures.ts'
import { answersCases } from './lag/answers.ts'
import { davCases } from './lag/dav.ts'
import { googleCases } from './lag/google.ts'
import { mailCases } from './lag/mail.ts'
import type { Lag } from './lag/measure.ts'
import { pagesCases } from './lag/pages.ts'
import { providerAnswersCases } from './lag/provider-answers.ts'
import { seriesCases } from './lag/series.ts'
import { uploadsCases } from './lag/uploads.ts'

const only = process.argv.find((word) => word.startsWith('--only='))?.slice(7)
const cases = {
  mail: mailCases,
  answers: answersCases,
  uploads: uploadsCases,
  pages: pagesCases,
  google: googleCases,
  dav: davCases,
  'provider-answers': providerAnswersCases,
  series: seriesCases,
}

/** The longest time that the main thread may compute without a pause (docs/security.md). */
const aim = '<= 200'
/** The same while it reads a provider's response, or expands series. */
const answersAim = '<= 50'
const ofAnswers = /^(dav|exchange|microsoft|google answers|series): /

/** One row per case, starting with the floor; then the longest waits, and the highest memory use. */
function rowsOf(found: Record<string, Lag>): FigureRow[] {
  const all = Object.entries(found)
  const max = (what: keyof Lag): readonly [string, number] =>
    all.map(([name, lag]) => [name, lag[what]] as const).reduce((one, other) => (other[1] > one[1] ? other : one))
  const [waited, grew] = [max('others wait, ms'), max('memory, MB')]
  return [
    ...all.map(([name, lag]) =>
      rowOf(`busy at once: ${name}`, {
        figure: lag['busy at once, ms'],
        unit: 'ms',
        aim: ofAnswers.test(name) ? answersAim : aim,
      }),
    ),
    rowOf(`others wait, longest: ${waited[0]}`, {
      figure: waited[1],
      unit: 'ms',
    }),
    rowOf(`memory, most: ${grew[0]}`, { figure: grew[1], unit: 'MB' }),
  ]
}

await using server = await startDovecot({ connectionsPerUser: 100 })
const figures: Record<string, Lag> = {}
for (const [name, run] of Object.entries(cases)) {
  if (only === undefined || only.split(',').includes(name)) Object.assign(figures, await run(server))
}
if (!isForPrograms) console.table(figures)
report(rowsOf(figures))
