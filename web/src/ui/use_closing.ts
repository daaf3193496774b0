import { type RefObject } from "preact";
import { useEffect } from "preact/hooks";

// A menu of <details> closes as menus do: on Escape, and when something else is pressed. A dialog
// that was opened from it handles Escape itself.
export function useClosing(menu: RefObject<HTMLDetailsElement>): void {
  useEffect(() => {
    const pressed = (event: Event) => {
      if (!menu.current!.contains(event.target as Node)) menu.current!.open = false;
    };
    const typed = (event: KeyboardEvent) => {
      const details = menu.current!;
      const elsewhere = (event.target as Element).closest("dialog[open]");
      if (event.key !== "Escape" || !details.open || elsewhere) return;
      details.open = false;
      details.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", pressed);
    document.addEventListener("keydown", typed);
    return () => {
      document.removeEventListener("pointerdown", pressed);
      document.removeEventListener("keydown", typed);
    };
  }, []);
}
