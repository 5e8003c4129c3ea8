/** Messages with uploaded files at Gmail, which accepts a message as a whole and not more than 35 MB. */
import { ApiError } from '../../../lib/api-error.ts'
import { joined, type LargeMessage, wireLength } from '../../mail/large-files.ts'
import { maxMessageBytes } from './message-size.ts'

/** The bytes of a message. Throws before any work if Gmail would refuse it for its size. */
export async function joinedForGmail(message: LargeMessage): Promise<Buffer> {
  const size = wireLength(message)
  if (size > maxMessageBytes) {
    const problem = `the message has ${size} bytes; Google accepts at most ${maxMessageBytes}`
    throw new ApiError('payload_too_large', `${problem}. Files grow by a third in a message`)
  }
  return joined(message)
}
