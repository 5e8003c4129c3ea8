/** Filters lists by the grants that a restricted credential may use. */
import type { Engine } from '../../engine/database.ts'
import type { Bind, Condition } from '../../engine/keyset.ts'

/** Grants with one of these ids, and whose metadata has this pair. */
export interface GrantScope {
  ids?: readonly string[] | undefined
  pair?: { key: string; value: string } | undefined
}

const listed = {
  sqlite: (list: string) => `select value from json_each(${list})`,
  postgresql: (list: string) => `select json_array_elements_text(cast(${list} as json))`,
} as const satisfies Record<Engine, unknown>

/**
 * The pair is in the document of the grant, which is the only place that every version writes. The text of the pair is
 * searched first, because that is much cheaper than parsing every document.
 */
const hasPair = {
  sqlite: (text: string, key: string, value: string) =>
    `instr(document, ${text}) > 0 and exists (select 1 from json_each(document -> 'metadata') where key = ${key} and value = ${value})`,
  postgresql: (text: string, key: string, value: string) =>
    `strpos(document, ${text}) > 0 and cast(document as json) -> 'metadata' ->> cast(${key} as text) = ${value}`,
} as const satisfies Record<Engine, unknown>

const within = (engine: Engine, column: string, ids: readonly string[], bind: Bind): string =>
  `${column} in (${listed[engine](bind(JSON.stringify(ids)))})`

const paired = (engine: Engine, { key, value }: { key: string; value: string }, bind: Bind): string =>
  hasPair[engine](bind(`${JSON.stringify(key)}:${JSON.stringify(value)}`), bind(key), bind(value))

/** Conditions on the rows of `grants`. */
export const scopedGrants = (engine: Engine, { ids, pair }: GrantScope = {}): Condition[] => [
  ...(ids ? [(bind: Bind) => within(engine, 'id', ids, bind)] : []),
  ...(pair ? [(bind: Bind) => paired(engine, pair, bind)] : []),
]

/** Conditions on the rows of a table whose column `grant_id` names a grant of the application. */
export const scopedRows = (engine: Engine, applicationId: string, { ids, pair }: GrantScope = {}): Condition[] => [
  ...(ids ? [(bind: Bind) => within(engine, 'grant_id', ids, bind)] : []),
  ...(pair
    ? [
        (bind: Bind) =>
          `grant_id in (select id from grants where application_id = ${bind(applicationId)} and ${paired(engine, pair, bind)})`,
      ]
    : []),
]
