/**
 * Records every statement that the store creates: imported server modules are loaded a second time, under another
 * URL, with a `database.ts` that records its statements.
 */
import { registerHooks } from 'node:module'
import type { Statement } from '../../../src/store/engine/database.ts'

export const madeStatements: Statement[] = []

const noted = '?noted'
const source = new URL('../../../src/', import.meta.url).href
const database = new URL('store/engine/database.ts', source).href
const composing = new URL('./compose-statements.ts', import.meta.url).href

const notingDatabase = `
  import { dynamic as compose, sql as prepare } from '${database}'
  import { madeStatements } from '${import.meta.url}'
  export * from '${database}'
  const note = (statement) => {
    madeStatements.push(statement)
    return statement
  }
  export const sql = (declared) => note(prepare(declared))
  export const dynamic = (declared) => note(compose(declared))
`

export const noteStatements = (): Disposable => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const from = context.parentURL ?? ''
      const isOurs = from === composing || (from.endsWith(noted) && from !== `${database}${noted}`)
      return isOurs && resolved.url.startsWith(source) ? { ...resolved, url: `${resolved.url}${noted}` } : resolved
    },
    load: (url, context, next) =>
      url === `${database}${noted}`
        ? { format: 'module', source: notingDatabase, shortCircuit: true }
        : next(url, context),
  })
  return { [Symbol.dispose]: () => hooks.deregister() }
}
