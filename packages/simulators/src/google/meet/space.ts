// A meeting space of Google Meet.
import type { JsonObject } from '../../shared/http.ts'

export interface Space extends JsonObject {
  /** `spaces/…`. */
  readonly name: string
  readonly meetingUri: string
  readonly meetingCode: string
  readonly config: JsonObject
}
