/** Is this a path of the API, not of a page? */
export const isApiPath = (url: string): boolean => /^\/api(\/|\?|$)/.test(url)
