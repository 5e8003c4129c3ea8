/** What the parts of the edge share: its collaborators, and a request that was matched. */
import type { ApiError } from '../../lib/api-error.ts'
import type { HttpRequest } from '../http/http.ts'
import type { PageAnswer, PageVisit } from '../pages/page.ts'
import type { PipelineContext } from './pipeline-context.ts'

export interface Edge {
  pipeline: PipelineContext
  /** Whether the reference is served to everybody (`WAYPOST_DOCS`). */
  hasDocs: boolean
  /** The client's address, taking trusted proxies into account. */
  addressOf(request: HttpRequest): string
  /** The page for a browser whose request is refused outside every route; undefined where the error is told as everywhere. */
  errorPage?(path: string, visit: PageVisit, error: ApiError): Promise<PageAnswer | undefined>
  /** A path without what is somebody's own in it. */
  patternOf(path: string): string
}

/** A request, and what its path was found to be. */
export interface Matched {
  request: HttpRequest
  /** The path that is routed. */
  path: string
  params: Record<string, string>
}
