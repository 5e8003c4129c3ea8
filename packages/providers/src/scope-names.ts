/** Error messages for misspelled scopes and for scopes of another provider. */
import { invalidField } from '@waypost/platform/api-error'

/** The scopes of a provider. */
export interface ScopeNames {
  /** The name of the provider. */
  name: string
  canonicalScope(scope: string): string
  /** The scopes that an operation of this service needs, in canonical form. */
  known: ReadonlySet<string>
}

type Registry = Readonly<Record<string, { scopeNames?: ScopeNames }>>

/** A misspelled scope may differ from the suggestion in at most this many letters. Two scopes of one provider differ in more. */
const maxLetters = 2
const maxScope = 200

/** Throws for the first scope that the provider cannot have. A scope that no operation needs is accepted. */
export function checkScopeNames(registry: Registry, kind: string, scopes: readonly string[] | null | undefined): void {
  const own = registry[kind]?.scopeNames
  if (!own) return
  for (const scope of scopes ?? []) {
    const problem = problemOf(registry, own, scope)
    if (problem !== undefined) throw invalidField('scope', `"${scope.slice(0, maxScope)}" ${problem}`)
  }
}

function problemOf(registry: Registry, own: ScopeNames, scope: string): string | undefined {
  const canonical = own.canonicalScope(scope)
  if (own.known.has(canonical) || canonical.length > maxScope) return undefined
  if (/[\s,]/.test(scope.trim())) return 'holds several scopes: write each as one item of the list'
  const foreign = Object.values(registry)
    .flatMap(({ scopeNames }) => scopeNames ?? [])
    .find((other) => other !== own && other.known.has(other.canonicalScope(scope)))
  if (foreign) return `is a scope of ${foreign.name}, not of ${own.name}: see the scopes in the guide of the provider`
  const meant = [...own.known].find((each) => isNear(each.toLowerCase(), canonical.toLowerCase()))
  return meant === undefined ? undefined : `is no scope of ${own.name}: did you mean ${meant}?`
}

/** Whether two texts differ in few letters (Levenshtein). Texts are short, which bounds the work. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > maxLetters) return false
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return (row.at(-1) ?? 0) <= maxLetters
}
