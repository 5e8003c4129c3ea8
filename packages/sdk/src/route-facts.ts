/** What the client knows of a route. */
export interface RouteFacts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Segments that start with a colon are parameters. */
  readonly path: string
  /** Whose credential opens it; `client` is an OAuth client, whose errors have OAuth's own shape. */
  readonly audience: 'public' | 'application' | 'administrator' | 'grant' | 'client'
  /** `flat`: the fields stand at the top of the answer, and not in `data`. */
  readonly answer: 'data' | 'list' | 'flat' | 'file' | 'empty'
  /** The one word that stands in `data`. */
  readonly word?: string
  /** The list has pages. */
  readonly paged?: true
  /** The list waits for what comes, up to the seconds of `wait`. */
  readonly waits?: true
  /** The part of a form that holds the body, where there are files. */
  readonly part?: string
}
