/** What this browser keeps for whoever is signed in: gone with the session. */
const historyName = 'waypost-explorer'

export const readKept = (): string | null => sessionStorage.getItem(historyName)
export const keep = (text: string): void => sessionStorage.setItem(historyName, text)
export const forgetKept = (): void => sessionStorage.removeItem(historyName)
