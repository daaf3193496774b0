// Tells a screen reader what others can see.

let region: HTMLElement | null = null;

export function say(message: string): void {
  if (!region) {
    region = document.createElement("div");
    region.className = "visually-hidden";
    region.setAttribute("role", "status");
    document.body.prepend(region);
  }
  region.textContent = message;
}
