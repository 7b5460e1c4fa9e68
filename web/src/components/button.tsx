import type { ComponentProps } from 'react'
import { Link } from 'react-router'

/** `main` is the one coral thing of a screen; `quiet` has a border only; `plain` looks like a link. */
export type ButtonLook = 'main' | 'teal' | 'quiet' | 'plain'

const looks: Record<ButtonLook, string> = {
  main: 'border-transparent px-5 bg-coral text-on-coral hover:bg-coral-deep',
  teal: 'border-transparent px-5 bg-teal text-on-teal hover:bg-teal-deep',
  quiet: 'border-edge px-5 bg-surface text-ink hover:border-teal hover:text-teal',
  plain: 'border-transparent text-teal underline underline-offset-4 hover:text-teal-deep',
}

/** Every look has a border, so that nothing moves when a disabled button shows one. */
const shape =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-md border py-2 text-center font-semibold leading-tight transition-colors disabled:border-line disabled:bg-ice disabled:text-slate aria-disabled:opacity-70'

/** Classes of something that can be pressed; at least 44 px high. */
export const buttonClass = (look: ButtonLook = 'teal', more = ''): string => `${shape} ${looks[look]} ${more}`

type Look = { look?: ButtonLook }

export function Button({ look, className, type = 'button', ...rest }: ComponentProps<'button'> & Look) {
  return <button type={type} className={buttonClass(look, className)} {...rest} />
}

/** A link that looks like a button, for what leads to another page. */
export function ButtonLink({ look, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link className={buttonClass(look, className)} {...rest} />
}
