/** The state of watching the contacts of an account, stored in the cursor. */

export interface WatchedFolder {
  /** The delta link; empty if the folder was not read yet. */
  link: string
  /** This round has more pages. */
  more?: true
  /**
   * The watch started, or Graph has forgotten the link: only contacts that changed after this time are notified, in
   * milliseconds.
   */
  after?: number
}

export interface ContactsState {
  /** The delta link of the folders. */
  tree: string
  /** By id. */
  folders: Record<string, WatchedFolder>
  /**
   * When the links were issued, in milliseconds. Links without changes are reused for a while, so that nothing is
   * written.
   */
  taken: number
  /** The newest change that was seen, in milliseconds of Microsoft's clock. */
  newest: number
}
