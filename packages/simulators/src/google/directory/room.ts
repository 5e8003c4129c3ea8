// A room of an organization.

export interface RoomSeed {
  /** The domain of the organization. */
  readonly domain: string
  readonly name: string
  readonly email?: string
  readonly capacity?: number
  readonly building?: { readonly id: string; readonly name: string }
  readonly floorName?: string
  readonly floorSection?: string
  /** Default `CONFERENCE_ROOM`. */
  readonly category?: 'CONFERENCE_ROOM' | 'OTHER' | 'CATEGORY_UNKNOWN'
}

/** A room as the directory stores it. */
export interface Room extends RoomSeed {
  readonly id: string
  readonly email: string
}
