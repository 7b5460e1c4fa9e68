/** 'Australia/Sydney' as people say it: 'Sydney time'. */
export const zoneName = (timeZone: string): string =>
  `${(timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')} time`
