/** Checks every SQL text of the store: see `statement-checks.ts`. */
import { recordStatements } from './recorded-statements.ts'

const noting = recordStatements()
const { describeStatements } = await import('./statement-checks.ts')
describeStatements(noting)
