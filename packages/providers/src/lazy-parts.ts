/**
 * Parts of an adapter whose modules are loaded on the first call, so that a node holds no code of providers that it has no
 * accounts of. An adapter names only the modules: the operations of a resource are read from the contract.
 */
import { type Contract, contract } from '@waypost/contract'
import type { Capability, Operations } from './operations.ts'
import type { Provider } from './provider.ts'

// biome-ignore lint/suspicious/noExplicitAny: arguments and results are passed through untouched
type Asynchronous = (...given: any[]) => Promise<any>
type Table = Readonly<Record<string, Asynchronous>>
type Load<Part> = () => Promise<Part>

/** Tables of an adapter that are not resources of the contract, with the names of their functions. */
const tableNames = {
  sent: ['find', 'file'],
  availability: ['busy', 'lastBooked'],
  changes: ['since', 'wait'],
} as const satisfies { [T in 'sent' | 'availability' | 'changes']: readonly (keyof NonNullable<Provider[T]>)[] }

type Parts<S> = Operations<S> &
  Required<Pick<Provider<S>, keyof typeof tableNames>> &
  Required<Pick<Provider<S>, LazyFunction>>
type LazyFunction = 'authenticate' | 'check' | 'aliases' | 'draftSource'

type Loaders<S> = { readonly [P in keyof Parts<S>]?: () => Promise<Parts<S>[P]> }
type Loaded<L> = { [P in keyof L]: L[P] extends () => Promise<infer Part> ? Part : never }

/** The functions of a part: the contract's operations, the names of a table, or none where the part is one function. */
function namesOf(part: string, except: readonly string[]): readonly string[] | undefined {
  if (Object.hasOwn(tableNames, part)) return tableNames[part as keyof typeof tableNames]
  const routes = (contract as Contract)[part]
  if (!routes) return undefined
  return Object.entries(routes).flatMap(([name, route]) =>
    route.audience === 'grant' && !route.own && !except.includes(`${part}.${name}`) ? [name] : [],
  )
}

/** A function whose module is loaded on its first call. A failed load is tried again on the next call. */
function lazyFunction(load: Load<Asynchronous>): Asynchronous {
  let loaded: Asynchronous | undefined
  return async (...given) => {
    loaded ??= await load()
    return loaded(...given)
  }
}

function lazyTable(load: Load<Table>, names: readonly string[]): Table {
  const functionOf = async (name: string): Promise<Asynchronous> => {
    const found = (await load())[name]
    if (!found) throw new Error(`the module has no operation ${name}: name it in \`except\``)
    return found
  }
  return Object.fromEntries(names.map((name) => [name, lazyFunction(() => functionOf(name))]))
}

/**
 * Parts of an adapter, each loaded on first use. `except` names optional operations (those with `?` in `operations.ts`) that
 * the adapter does not have.
 */
export const lazyParts =
  <S>() =>
  <const L extends Loaders<S>>(loaders: L, { except = [] }: { except?: readonly Capability[] } = {}): Loaded<L> => {
    const parts = Object.entries(loaders).map(([part, load]) => {
      const names = namesOf(part, except)
      return [part, names ? lazyTable(load as Load<Table>, names) : lazyFunction(load as Load<Asynchronous>)]
    })
    return Object.fromEntries(parts)
  }
