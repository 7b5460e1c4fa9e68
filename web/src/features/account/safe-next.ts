/** Where to after signing in: a page of ours that was asked for, else the home page. Source: spec §4. */
export function safeNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])[^\\\s]*$/.test(next) ? next : '/'
}
