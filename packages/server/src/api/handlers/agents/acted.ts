import type { Services } from '../../../services/services.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import type { ReadObject } from './read-object.ts'

/** A request, with what its effects are found from. */
export interface Acted {
  services: Services
  context: RequestContext
  read: ReadObject
}
