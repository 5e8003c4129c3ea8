import type { TextReading } from '../../../agents/effects/readable-text.ts'
import type { Services } from '../../../services/services.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import type { ReadObject } from './read-object.ts'

export type EffectServices = Pick<Services, 'storage' | 'accounts' | 'mail' | 'scheduling'>

/** A request, with what its effects are found from. */
export interface Acted {
  services: EffectServices
  context: RequestContext
  read: ReadObject
  reading: TextReading
}
