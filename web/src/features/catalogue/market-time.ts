const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MARKET_TIME = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})/

/** '2025-11-19 04:20:00' (market time) as '19 Nov 2025 04:20'; other text is returned as it is. Source: spec §9. */
export function marketTime(text: string): string {
  const [, year, month, day, hour, minute] = MARKET_TIME.exec(text) ?? []
  const name = MONTHS[Number(month) - 1]
  return name ? `${Number(day)} ${name} ${year} ${hour}:${minute}` : text
}
