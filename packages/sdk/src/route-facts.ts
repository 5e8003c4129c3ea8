/** Facts about a route that the client needs. */
export interface RouteFacts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Segments that start with a colon are parameters. */
  readonly path: string
  /** The required credential; `guest` needs none, and takes an API key or a scheduling session; `client` is an OAuth client, whose errors have OAuth's own format. */
  readonly audience: 'public' | 'application' | 'administrator' | 'grant' | 'guest' | 'client'
  /** `flat`: the fields are at the top level of the response instead of in `data`. */
  readonly answer: 'data' | 'list' | 'flat' | 'file' | 'empty'
  /** The single word in `data`. */
  readonly word?: string
  /** Some responses have no `data`. */
  readonly sometimes?: true
  /** The list has pages. */
  readonly paged?: true
  /** The list waits for new items, up to `wait` seconds. */
  readonly waits?: true
  /** The list is also a live stream of events. */
  readonly events?: true
  /** The form part that contains the body if there are files. */
  readonly part?: string
}
