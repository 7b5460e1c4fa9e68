/** On papers: the newest state of the shop's log, as a line and as a code, for whoever keeps them. */
export const LogReceipt = () => (
  <img src="/befaqt/log/receipt.svg" alt="Receipt of the shop’s log" className="mt-3 w-full max-w-[120mm]" />
)
