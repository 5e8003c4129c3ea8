/** In place of Scalar's library of icons for folders of requests: the description names none. */
export const libraryIcons: never[] = []
export const getLibraryIcon = async (): Promise<undefined> => undefined
