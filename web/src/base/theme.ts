// Light or dark: as the device is set, until the visitor chooses otherwise.

import { forget, keep, kept, onKeptElsewhere } from "./storage";

export type Theme = "light" | "dark";

const storageKey = "sluice.theme";
const listeners = new Set<() => void>();
const device = () => matchMedia("(prefers-color-scheme: dark)");
const themeOfDevice = (): Theme => (device().matches ? "dark" : "light");

export function currentTheme(): Theme {
  const choice = kept<unknown>(storageKey);
  return choice === "light" || choice === "dark" ? choice : themeOfDevice();
}

// Choosing what the device has anyway means to follow the device again.
export function setTheme(theme: Theme): void {
  if (theme === themeOfDevice()) forget(storageKey);
  else keep(storageKey, theme);
  apply();
}

export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function followTheme(): void {
  apply();
  device().addEventListener("change", apply);
  onKeptElsewhere(storageKey, apply);
}

function apply(): void {
  document.documentElement.dataset.theme = currentTheme();
  for (const listener of listeners) listener();
}
