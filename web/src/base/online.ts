// Whether this device has a network at all: if not, it is not the shop's fault.

export const isOnline = () => navigator.onLine !== false;

// Calls back when the network is back, and when it is gone.
export function onNetworkChange(heard: () => void): () => void {
  window.addEventListener("online", heard);
  window.addEventListener("offline", heard);
  return () => {
    window.removeEventListener("online", heard);
    window.removeEventListener("offline", heard);
  };
}
