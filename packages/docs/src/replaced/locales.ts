/** Replaces Scalar's translations: the API is described in English. */
export const ar = {}
export const de = {}
export const es = {}
export const fr = {}
export const pt = {}
export const ru = {}
export const zhCn = {}
