/** Statements of tests. Their tables are read from the text, so that tests need not declare them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, sql as declare, type Row, type Statement } from '@waypost/store/engine/database'

const named = (text: string, words: RegExp): string[] => Array.from(text.matchAll(words), ([, table = '']) => table)

export const sql = <T = Row>(name: string, text: string): Statement<T> => {
  const writes = named(text, /\b(?:insert into|update|delete from|alter table)\s+(\w+)/g)
  const reads = named(text, /\b(?:from|join)\s+(\w+)/g).filter((table) => !writes.includes(table))
  const isLocking = text.endsWith(' for no key update')
  return declare({
    ...{ name, writes },
    text: isLocking ? text.replace(' for no key update', '') : text,
    ...(isLocking ? { locks: reads } : { reads }),
  })
}

/** Resolves when a statement has been executed again: who waits for something in the store has looked, and waits. */
export async function executedAgain({ figures }: Pick<Database, 'figures'>, name: string): Promise<void> {
  const count = () => figures.statements().get(name)?.count ?? 0
  const before = count()
  while (count() === before) await nextTurn()
}
