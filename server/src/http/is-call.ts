/** Is this the address of a call and not of a page? */
export const isCall = (url: string): boolean => /^\/api(\/|\?|$)/.test(url)
