/** The form in which Exchange stores the UID of an event ([MS-OXOCAL] 2.2.1.27 PidLidGlobalObjectId). Pure. */

const header = Buffer.from('040000008200e00074c5b7101a82e008', 'hex')

/** A UID of Exchange is such an id in hexadecimal; any other UID is wrapped into one. */
export function globalIdOf(uid: string): Buffer {
  const bytes = /^(?:[\da-f]{2})+$/i.test(uid) ? Buffer.from(uid, 'hex') : undefined
  if (bytes?.subarray(0, header.length).equals(header)) {
    // The day of an occurrence, which a series does not have.
    return bytes.fill(0, 16, 20)
  }
  const data = Buffer.from(`vCal-Uid\x01\0\0\0${uid}\0`)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  // No day, no time of creation, and eight reserved bytes.
  return Buffer.concat([header, Buffer.alloc(20), size, data])
}
