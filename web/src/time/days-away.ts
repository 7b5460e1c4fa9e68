import { daysBetween } from '@befaqt/domain/durations'

/** How far a day is away: 'today', 'tomorrow', 'in 4 days', '3 days ago'. Both `YYYY-MM-DD`. */
export function daysAway(today: string, date: string): string {
  const days = daysBetween(today, date)
  if (days === 0) return 'today'
  if (Math.abs(days) === 1) return days > 0 ? 'tomorrow' : 'yesterday'
  return days > 0 ? `in ${days} days` : `${-days} days ago`
}
