/**
 * The form in which addresses are compared: trimmed, composed, lower case. Look-alike letters stay different. Composed
 * once more at the end, because some letters with marks are one character in lower case only (J̌ and ǰ).
 */
export const emailKey = (address: string): string => address.trim().normalize('NFC').toLowerCase().normalize('NFC')
