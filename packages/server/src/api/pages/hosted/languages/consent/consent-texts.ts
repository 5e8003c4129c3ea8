import type { consentEn } from './en.ts'

/** All texts of the consent page. A missing or unknown key does not compile. */
export type ConsentTexts = Readonly<Record<keyof typeof consentEn, string>>
