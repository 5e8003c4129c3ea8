/** The schema versions that a request can name, and the servers that accept them. */

/** From the oldest to the newest. */
export const schemaVersions = [
  'Exchange2007',
  'Exchange2007_SP1',
  'Exchange2010',
  'Exchange2010_SP1',
  'Exchange2010_SP2',
  'Exchange2013',
  'Exchange2013_SP1',
] as const

export type SchemaVersion = (typeof schemaVersions)[number]

/** Every server since 2013 SP1 accepts it, and it contains everything that is requested. */
export const newestVersion: SchemaVersion = 'Exchange2013_SP1'
/** The oldest version with streaming notifications, conversations and impersonation as they are used here. */
export const oldestVersion: SchemaVersion = 'Exchange2010_SP1'

/** Whether a version contains another. */
export const isSince = (version: SchemaVersion, other: SchemaVersion): boolean =>
  schemaVersions.indexOf(version) >= schemaVersions.indexOf(other)

/** The version to try after one that a server rejected; undefined if the server is too old. */
export function versionBefore(version: SchemaVersion): SchemaVersion | undefined {
  const before = schemaVersions[schemaVersions.indexOf(version) - 1]
  return before !== undefined && isSince(before, oldestVersion) ? before : undefined
}
