/**
 * Records every statement that the store creates: imported server modules are loaded a second time, under another
 * URL, with a `database.ts` that records its statements.
 */
import { registerHooks } from 'node:module'
import type { Statement } from '@waypost/store/engine/database'

export const recordedStatements: Statement[] = []

const recording = '?recording'
const source = new URL('../../../../', import.meta.url).href
const database = new URL('store/src/engine/database.ts', source).href
const composing = new URL('./compose-statements.ts', import.meta.url).href

const recordingDatabase = `
  import { dynamic as compose, sql as prepare, statement as declare } from '${database}'
  import { recordedStatements } from '${import.meta.url}'
  export * from '${database}'
  const record = (statement) => {
    recordedStatements.push(statement)
    return statement
  }
  export const statement = (declared) => record(declare(declared))
  export const sql = (name, also) => (...template) => record(prepare(name, also)(...template))
  export const dynamic = (declared) => record(compose(declared))
`

export const recordStatements = (): Disposable => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const from = context.parentURL ?? ''
      const isOurs = from === composing || (from.endsWith(recording) && from !== `${database}${recording}`)
      return isOurs && resolved.url.startsWith(source) && !/\/(test|testing|node_modules)\//.test(resolved.url)
        ? { ...resolved, url: `${resolved.url}${recording}` }
        : resolved
    },
    load: (url, context, next) =>
      url === `${database}${recording}`
        ? { format: 'module', source: recordingDatabase, shortCircuit: true }
        : next(url, context),
  })
  return { [Symbol.dispose]: () => hooks.deregister() }
}
