/** A date as people say it: 'Mon 30 Nov'. @param date `YYYY-MM-DD` */
export function dayText(date: string): string {
  // 'Mon, 30 Nov 2026 00:00:00 GMT' in every language: ECMAScript says so.
  const [weekday = '', day = '', month = ''] = new Date(date).toUTCString().split(/,? /)
  return `${weekday} ${Number(day)} ${month}`
}
