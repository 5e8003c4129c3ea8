/** How far the contacts of an account were told. */

export interface WatchedFolder {
  /** Where what changed in it is asked for; empty where it was not asked for yet. */
  link: string
  /** There is more to be read of this round. */
  more?: true
  /**
   * Watching began, or Graph has forgotten where we were: of what it lists, that is told which was changed later than this,
   * in milliseconds.
   */
  after?: number
}

export interface ContactsState {
  /** Where changes of the folders are asked for. */
  tree: string
  /** By their ids. */
  folders: Record<string, WatchedFolder>
  /** When the links were given, in milliseconds: those that told nothing are kept for a while, so that nothing need be written. */
  taken: number
  /** The newest change that was seen, in milliseconds of Microsoft's clock. */
  newest: number
}
