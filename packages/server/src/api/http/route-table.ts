/** Which path leads where: the order in which paths are tried, and the methods that each takes. Pure. */
import { methodsOf, type NamedRoute, paramsOf, type Unavailable } from '@waypost/contract'

/** A path of a route, or another spelling of it. */
export interface RoutePath {
  named: NamedRoute
  path: string
  /** The parameters of this path that are fields of the query. */
  asQuery: readonly string[]
}

/** All paths of the routes, those with fewer parameters first, so that a literal segment is never taken for a parameter. */
export const routePaths = (routes: readonly NamedRoute[]): RoutePath[] =>
  routes
    .flatMap((named) => {
      const own = paramsOf(named.route.path)
      return [named.route.path, ...(named.route.aliases ?? [])].map((path) => ({
        named,
        path,
        asQuery: paramsOf(path).filter((name) => !own.includes(name)),
      }))
    })
    .toSorted((a, b) => paramsOf(a.path).length - paramsOf(b.path).length)

export interface PathMethods {
  path: string
  methods: readonly string[]
}

const isParam = (segment: string): boolean => segment.startsWith(':')

/** Paths whose last word is a name of ours where others have an id: with a method that they lack, the name is still no id. */
export function namesNoId(paths: readonly PathMethods[]): string[] {
  const forms = [...new Set(paths.map(({ path }) => path))].map((path) => {
    const segments = path.split('/')
    return { path, segments, params: segments.filter(isParam).length }
  })
  const byLength = Map.groupBy(forms, ({ segments }) => segments.length)
  const isWider = (wide: (typeof forms)[number], narrow: (typeof forms)[number]): boolean =>
    wide.params > narrow.params && wide.segments.every((one, at) => isParam(one) || one === narrow.segments[at])
  return forms
    .filter((form) => byLength.get(form.segments.length)?.some((other) => isWider(other, form)))
    .map(({ path }) => path)
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:[a-z_]+/g, '[^/]+').replace(/\./g, '\\.')}$`)

/** Which methods a path takes, for the answer to a method it does not take. */
export function allowedMethods(paths: readonly PathMethods[]): (path: string) => string[] {
  const patterns = paths.map(({ path, methods }) => ({
    pattern: patternOf(path),
    methods,
    params: paramsOf(path).length,
  }))
  return (path) => {
    const found = patterns.filter(({ pattern }) => pattern.test(path))
    const fewest = Math.min(...found.map(({ params }) => params))
    return [...new Set(found.filter(({ params }) => params === fewest).flatMap(({ methods }) => methods))]
  }
}

export const pathMethods = (paths: readonly RoutePath[]): PathMethods[] =>
  paths.map(({ named, path }) => ({ path, methods: methodsOf(named.route) }))

/** What is said of a resource that the public API has and this service has not. */
export const unavailableMessage = ({ resource, meanwhile }: Unavailable): string =>
  `${resource}: this service does not have this resource yet${meanwhile === undefined ? '' : `; meanwhile, ${meanwhile}`}`
