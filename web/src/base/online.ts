// Whether this device has a network at all: then it is not the shop that does not answer.

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
