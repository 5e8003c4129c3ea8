// Behavior that only some real servers show: options to test a client against it.

export interface Oddities {
  /** MIME is rebuilt from the properties on every read; content without a property is lost. */
  readonly rebuildsMime?: boolean
  /** The server replaces the Message-ID of sent mail. */
  readonly renamesSent?: boolean
  /** An item changes directly after it was saved, so the returned change key is already outdated. */
  readonly changesSaved?: boolean
  /** Control characters in mail are returned as references such as `&#x1A;`, which XML does not allow. */
  readonly writesControlCharacters?: boolean
  /** People of the organization are identified by their directory name (`RoutingType` EX), not by address. */
  readonly namesByDirectory?: boolean
  /** Restrictions cannot compare binary properties. */
  readonly refusesBinaryRestrictions?: boolean
  /** `MoveItem` and `CopyItem` return no ids. */
  readonly tellsNoNewIds?: boolean
  /** Pages after the first are empty, start at 0 and are not marked as last. */
  readonly stallsPages?: boolean
}
