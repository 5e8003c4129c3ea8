/** Replaces Scalar's icon library for request folders; the description uses none. */
export const libraryIcons: never[] = []
export const getLibraryIcon = async (): Promise<undefined> => undefined
