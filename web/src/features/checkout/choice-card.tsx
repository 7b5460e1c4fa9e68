import type { ComponentProps, ReactNode } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  label: ReactNode
  hint: ReactNode
  chosen: boolean
}

/** One of the ways to choose from, as a card with a radio button. */
export const ChoiceCard = ({ label, hint, chosen, disabled = false, ...input }: Props) => (
  <label
    className={`flex min-h-14 items-center gap-3 rounded-md border px-4 py-2 ${
      chosen ? 'border-teal bg-teal-ice' : 'border-edge bg-surface'
    }`}
  >
    <input type="radio" disabled={disabled} className="size-5 shrink-0 accent-teal" {...input} />
    <span className={disabled ? 'text-slate' : undefined}>
      <span className="block font-semibold">{label}</span>
      <span className="block text-slate text-sm">{hint}</span>
    </span>
  </label>
)
