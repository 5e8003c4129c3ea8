// What some real servers do and most do not: options that let a client be tried with it.

export interface Oddities {
  /** MIME is made anew of the properties whenever it is read: what these do not know is not in it. */
  readonly rebuildsMime?: boolean
  /** What is sent gets a Message-ID of the server's own. */
  readonly renamesSent?: boolean
  /** Something changes an item right after it was saved: the change key that was given is old already. */
  readonly changesSaved?: boolean
  /** Control characters of mails are answered as references, such as `&#x1A;`, which XML does not have. */
  readonly writesControlCharacters?: boolean
  /** People of the organization are named by their place in the directory (`RoutingType` EX), not by address. */
  readonly namesByDirectory?: boolean
  /** No restriction may compare a binary property. */
  readonly refusesBinaryRestrictions?: boolean
  /** `MoveItem` and `CopyItem` answer no ids. */
  readonly tellsNoNewIds?: boolean
  /** Pages after the first are empty, begin at 0 and are not the last. */
  readonly stallsPages?: boolean
}
