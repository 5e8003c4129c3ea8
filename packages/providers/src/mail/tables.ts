/** What the watch stores about the places of messages; `store/` implements it. */

/** A message at a place. */
export interface MessagePlace {
  /** Identifies the folder. */
  folder: string
  /** Identifies the place in the folder. */
  place: string
  /** The id of the message. */
  id: string
  /** When the message was received, in seconds. */
  date: number
}

/** A stored place. */
export type KnownPlace = Omit<MessagePlace, 'date'>

/** The stored places of an account. */
export interface PlaceMemory {
  inFolder(folder: string): Promise<KnownPlace[]>
  at(folder: string, places: readonly string[]): Promise<KnownPlace[]>
  /** The places of messages, by the hashes of their names. */
  named(names: readonly string[]): Promise<(KnownPlace & { name: string })[]>
}

/** Changes of the stored places, which are written together with the cursor of the watch. */
export interface PlaceChanges {
  added: readonly (MessagePlace & { name: string })[]
  removed: readonly Pick<MessagePlace, 'folder' | 'place'>[]
  /** Folders whose places are forgotten. */
  folders: readonly string[]
  /** The number of oldest places to forget, so that an account has a limited number. */
  surplus: number
  /** All places are forgotten: nobody subscribes any more. */
  all?: true
}
