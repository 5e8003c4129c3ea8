/** Turns parameters that many operations share into components, so that the document stays small. */
import type { Json } from './json.ts'
import { refer } from './json.ts'

type Operation = Json & { parameters?: Json[] }
export type Paths = Record<string, Record<string, Operation>>

const often = 3

/** The paths with references, and the referenced parameters. */
export function shareParameters(paths: Paths): { paths: Paths; parameters: Record<string, Json> } {
  const all = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ parameters = [] }) => parameters),
  )
  const uses = Map.groupBy(all, (parameter) => JSON.stringify(parameter))
  const names = new Map<string, string>()
  const taken = new Map<string, number>()
  for (const [text, [parameter, ...others]] of uses) {
    if (parameter === undefined || '$ref' in parameter || others.length + 1 < often) continue
    const plain = `${parameter.in}.${parameter.name}`
    const count = (taken.get(plain) ?? 0) + 1
    taken.set(plain, count)
    names.set(text, count === 1 ? plain : `${plain}.${count}`)
  }
  const shared = (parameter: Json): Json => {
    const name = names.get(JSON.stringify(parameter))
    return name === undefined ? parameter : refer('parameters', name)
  }
  const withRefs = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        operation.parameters ? { ...operation, parameters: operation.parameters.map(shared) } : operation,
      ]),
    ),
  ])
  return {
    paths: Object.fromEntries(withRefs),
    parameters: Object.fromEntries([...names].map(([text, name]) => [name, JSON.parse(text)])),
  }
}
