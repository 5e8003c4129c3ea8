/** Data that this browser stores for the signed-in user. It is deleted when the session ends. */
const historyName = 'waypost-explorer'

export const readHistory = (): string | null => sessionStorage.getItem(historyName)
export const storeHistory = (text: string): void => sessionStorage.setItem(historyName, text)
export const deleteHistory = (): void => sessionStorage.removeItem(historyName)
