import { Icon, type IconName } from '#web/components/icon.tsx'

type Props = { icon: IconName; label: string; onPress: () => void; disabled?: boolean }

/** A button with a sign, for one step more or less and the like. */
export const Step = ({ icon, label, onPress, disabled = false }: Props) => (
  <button
    type="button"
    onClick={onPress}
    disabled={disabled}
    aria-label={label}
    className="grid size-11 shrink-0 place-items-center rounded-md text-teal hover:bg-ice disabled:text-slate/60"
  >
    <Icon name={icon} className="size-5" />
  </button>
)
