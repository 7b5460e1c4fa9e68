import type { Box } from '@befaqt/domain/box'
import type { Warmth } from './logger.ts'
import type { Port } from './routes.ts'

/** What is told of a sample box; the rest is computed. All traders, companies, boats and loggers are invented. */
export type BoxPlan = {
  boxID: string
  port: Port
  /** Where on the way from the fishing ground the fish was caught: a place of its seaway, the first unless given. */
  ground?: number
  fisher: Pick<Box['fisher'], 'traderID' | 'traderName' | 'companyName' | 'boat' | 'address'>
  catch: { time: string; species: string; size: string; method: string; img: string; note: string }
  iotID: string
  /** Minutes between readings, and hours from the catch to the first of them. */
  every: number
  iced: number
  /** Hours after the catch: turning for port, alongside, leaving by road, at the market; of a box at sea only the first. */
  hours: { homeward: number; landed?: number; leaves?: number; market?: number; end: number }
  warmth: Warmth
  lost?: readonly [number, number]
  silent?: readonly [number, number]
  /** Findings at the market; none while it is not there. */
  eye?: { score: number; confidence: number; eye: 'fresh' | 'fair' | 'poor' }
  nose?: { score: number; confidence: number }
}
