/**
 * Schemas are checked without code made from text, which the page's Content-Security-Policy refuses. Imported before all
 * else: schemas are made when the contract is imported, and look at this then.
 */
import { config } from 'zod'

config({ jitless: true })
