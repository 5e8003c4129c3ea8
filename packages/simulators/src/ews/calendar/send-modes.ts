// Which attendees a request notifies. The attributes are required, although the schema marks them as optional.
import type { EwsCall } from '../model.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'

export interface Mode {
  readonly sends: boolean
  readonly savesCopy: boolean
  /** If true, only added and removed attendees are notified. */
  readonly onlyChanged: boolean
}

const creates = ['SendToNone', 'SendOnlyToAll', 'SendToAllAndSaveCopy']
const updates = [...creates, 'SendOnlyToChanged', 'SendToChangedAndSaveCopy']

function modeOf({ request }: EwsCall, name: string, values: readonly string[]): Mode {
  const written = request.attributes[name]
  if (written === undefined) {
    throw new EwsError(`Error${name}Required`, `${name} attribute is required for calendar items.`)
  }
  if (!values.includes(written)) {
    throw schemaViolation(
      `The '${name}' attribute is invalid - The value '${written}' is invalid according to its datatype.`,
    )
  }
  return {
    sends: written !== 'SendToNone',
    savesCopy: written.endsWith('SaveCopy'),
    onlyChanged: written.includes('Changed'),
  }
}

export const createModeOf = (call: EwsCall): Mode => modeOf(call, 'SendMeetingInvitations', creates)
export const updateModeOf = (call: EwsCall): Mode => modeOf(call, 'SendMeetingInvitationsOrCancellations', updates)
export const cancelModeOf = (call: EwsCall): Mode => modeOf(call, 'SendMeetingCancellations', creates)
