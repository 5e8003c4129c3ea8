/** Statements of tests. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, type Row, type Statement, statement } from '@waypost/store/engine/database'

const lock = ' for no key update'

/** A statement that ends with the lock of PostgreSQL locks its rows on that store alone. */
export const sql = <T = Row>(name: string, text: string): Statement<T> => {
  if (!text.endsWith(lock)) return statement({ name, text })
  const locks = Array.from(text.matchAll(/\b(?:from|join)\s+(\w+)/g), ([, table = '']) => table)
  return statement({ name, text: text.replace(lock, ''), locks })
}

/** Resolves when a statement has been executed again: who waits for something in the store has looked, and waits. */
export async function executedAgain({ figures }: Pick<Database, 'figures'>, name: string): Promise<void> {
  const count = () => figures.statements().get(name)?.count ?? 0
  const before = count()
  while (count() === before) await nextTurn()
}
