// The browser may forbid storage, or it may be full. Then values last only as long as the page.

const fallback = new Map<string, string>();

export function keep(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  fallback.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    return;
  }
}

export function forget(key: string): void {
  fallback.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    return;
  }
}

export function kept<T>(key: string): T | null {
  try {
    return parse<T>(localStorage.getItem(key));
  } catch {
    return parse<T>(fallback.get(key) ?? null);
  }
}

// Calls back when another tab stores or removes something under the key.
export function onKeptElsewhere(key: string, heard: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === key || event.key === null) heard();
  };
  window.addEventListener("storage", listen);
  return () => window.removeEventListener("storage", listen);
}

function parse<T>(text: string | null): T | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}
