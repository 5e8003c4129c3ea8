/** The order in which paths are tried, and the methods of each. Pure. */
import { methodsOf, type NamedRoute, paramsOf, type Unavailable } from '@waypost/contract'

/** A path of a route, or an alias of it. */
export interface RoutePath {
  named: NamedRoute
  path: string
  /** The parameters of this path that are fields of the query. */
  asQuery: readonly string[]
}

/**
 * All paths of the routes, those with fewer parameters first, so that a literal segment never matches a parameter.
 */
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

/**
 * Paths whose last segment is a literal where another route has an id. With another method, the literal must not
 * match the id.
 */
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

/** The methods of a path, for the answer to another method. */
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

/** Whether a path leads to a route that anyone may call. */
export function guestPaths(paths: readonly RoutePath[]): (path: string) => boolean {
  const patterns = paths.filter(({ named }) => named.route.audience === 'guest').map(({ path }) => patternOf(path))
  return (path) => patterns.some((pattern) => pattern.test(path))
}

export const pathMethods = (paths: readonly RoutePath[]): PathMethods[] =>
  paths.map(({ named, path }) => ({ path, methods: methodsOf(named.route) }))

/** The message for a resource of the public API that this service does not have. */
export const unavailableMessage = ({ resource, meanwhile }: Unavailable): string =>
  `${resource}: this service does not have this resource yet${meanwhile === undefined ? '' : `; meanwhile, ${meanwhile}`}`
