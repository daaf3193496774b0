// What people call a sale: by its item, and by its own name if it has one.

import type { Order, Sale } from "./types";

const joined = (title: string, name: string) => (name ? `${title} · ${name}` : title);

export const saleTitle = ({ item, name }: Pick<Sale, "item" | "name">) => joined(item.title, name);

export const orderTitle = ({ item, sale_name }: Pick<Order, "item" | "sale_name">) =>
  joined(item.title, sale_name);
