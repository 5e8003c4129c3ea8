/**
 * The normalized form in which addresses are compared: trimmed, NFC, lower case. Similar-looking letters stay
 * different. NFC is applied again at the end, because some letters with marks are one character only in lower case
 * (J̌ and ǰ).
 */
export const emailKey = (address: string): string => address.trim().normalize('NFC').toLowerCase().normalize('NFC')
