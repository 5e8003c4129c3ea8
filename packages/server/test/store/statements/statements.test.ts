/** Checks every SQL text of the store: see `statement-checks.ts`. */
import { noteStatements } from './made-statements.ts'

const noting = noteStatements()
const { describeStatements } = await import('./statement-checks.ts')
describeStatements(noting)
