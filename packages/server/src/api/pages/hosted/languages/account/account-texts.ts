import type { accountEn } from './en.ts'

/** All texts of the pages of account owners. A missing or unknown key does not compile. */
export type AccountTexts = Readonly<Record<keyof typeof accountEn, string>>
