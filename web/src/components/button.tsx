import type { ComponentProps } from 'react'
import { Link } from 'react-router'

/** `primary` is the one coral button of a screen; `outline` has a border only. */
export type ButtonVariant = 'primary' | 'secondary' | 'outline' | 'link'

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent px-5 bg-coral text-on-coral hover:bg-coral-deep',
  secondary: 'border-transparent px-5 bg-teal text-on-teal hover:bg-teal-deep',
  outline: 'border-edge px-5 bg-surface text-ink hover:border-teal hover:text-teal',
  link: 'border-transparent text-teal underline underline-offset-4 hover:text-teal-deep',
}

/** Every variant has a border, so that nothing moves when a disabled button shows one. */
const shape =
  'tap justify-center gap-2 rounded-md border py-2 text-center font-semibold leading-tight transition-colors disabled:border-line disabled:bg-ice disabled:text-slate aria-disabled:opacity-70'

/** Classes of something that can be clicked; at least 44 px high. */
export const buttonClass = (variant: ButtonVariant = 'secondary', more = ''): string =>
  `${shape} ${variants[variant]} ${more}`

type Variant = { variant?: ButtonVariant }

/**
 * A button. While what it began is going on (`aria-busy`) it can't be used but keeps the focus, which a disabled one
 * would lose to the top of the page; what it calls takes a second press for the same one (`useCall`, `useForm`).
 */
export function Button({ variant, className, type = 'button', ...rest }: ComponentProps<'button'> & Variant) {
  const off = rest['aria-busy'] ? true : rest['aria-disabled']
  return <button type={type} className={buttonClass(variant, className)} {...rest} aria-disabled={off} />
}

/** A link that looks like a button, for what leads to another page. */
export function ButtonLink({ variant, className, ...rest }: ComponentProps<typeof Link> & Variant) {
  return <Link className={buttonClass(variant, className)} {...rest} />
}
