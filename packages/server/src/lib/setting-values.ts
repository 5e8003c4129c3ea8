/** Forms that the values of settings have, as variables of the environment. */
import { z } from 'zod'

export const text = () => z.string().trim().min(1).optional()

export const flag = (usual: boolean) =>
  z
    .enum(['true', 'false', '1', '0', 'on', 'off'])
    .transform((value) => value === 'true' || value === '1' || value === 'on')
    .default(usual)

/** An address without slash at the end. */
export const baseAddress = () =>
  z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()

/** Texts with commas between them. */
export const list = () =>
  z.string().transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )
