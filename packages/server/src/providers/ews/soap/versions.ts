/** The versions of the schema that a request may name, and which server takes which. */

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

/** Every server of 2013 SP1 and later takes it, and it has all that is asked for. */
export const newestVersion: SchemaVersion = 'Exchange2013_SP1'
/** What an account needs: streaming notifications, conversations and impersonation as they are used here. */
export const oldestVersion: SchemaVersion = 'Exchange2010_SP1'

/** Whether a version has what another brought. */
export const isSince = (version: SchemaVersion, other: SchemaVersion): boolean =>
  schemaVersions.indexOf(version) >= schemaVersions.indexOf(other)

/** The version to try after one that a server did not take; none where the server is too old. */
export function versionBefore(version: SchemaVersion): SchemaVersion | undefined {
  const before = schemaVersions[schemaVersions.indexOf(version) - 1]
  return before !== undefined && isSince(before, oldestVersion) ? before : undefined
}
