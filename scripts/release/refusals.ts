/** When a release is refused, and what helps. */
export interface ReleaseFacts {
  version: string
  /** Files that differ from the last commit. */
  changedFiles: readonly string[]
  /** The newest version of the changelog. */
  newestChanges: string | undefined
  /** Whether releases/<version> or the tag exists. */
  exists: boolean
  /** Why the tests on Citus cannot run. */
  citusMissing: string | undefined
}

/** Reasons, each with the remedy. None means that the release can be made. */
export function refusalsOf({ version, changedFiles, newestChanges, exists, citusMissing }: ReleaseFacts): string[] {
  const [first = '', ...others] = changedFiles
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return [
    ...(changedFiles.length > 0
      ? [`the tree has changes that are not committed (${first}${more}): commit them, or remove them`]
      : []),
    ...(newestChanges === version
      ? []
      : [`the top section of CHANGELOG.md is ${newestChanges ?? 'missing'}: write the section of ${version} above it`]),
    ...(exists
      ? [`${version} was released already: choose the next version with node scripts/release/set-version.ts`]
      : []),
    ...(citusMissing ? [`a release needs the tests on Citus, and they would be ${citusMissing}`] : []),
  ]
}
