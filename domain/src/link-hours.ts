/** Hours for which the links of emails work, each once. Alone, since the page of signing up needs no other rule at first. */
export const LINK_HOURS = { activate: 24, reset: 1, 'first-admin': 24, 'email-change': 24 } as const
/** '24 hours', '1 hour'. */
export const hoursText = (hours: number): string => `${hours} ${hours === 1 ? 'hour' : 'hours'}`
