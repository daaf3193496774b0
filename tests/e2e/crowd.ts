import type { Shop } from "./shop";

// Comes in over a while. Each buyer asks until they have one, or until it is time to go home.
export class Crowd {
  readonly orders = new Set<string>();
  private home = false;
  private readonly people: Promise<void>[];

  constructor(
    private readonly shop: Shop,
    sale: string,
    size: number,
    apartMilliseconds = 80,
  ) {
    this.people = shop
      .mint(size)
      .map((token, i) => this.attack(sale, token, i * apartMilliseconds));
  }

  private async attack(sale: string, token: string, after: number): Promise<void> {
    await new Promise((done) => setTimeout(done, after));
    while (!this.home) {
      const { status, body } = await this.shop.buy(sale, token);
      if (body.order_id) this.orders.add(body.order_id);
      if (status === 201) return;
      await new Promise((done) => setTimeout(done, 400 + Math.random() * 400));
    }
  }

  // Whoever is on the way when the shop closes is not waited for.
  async goHome(): Promise<void> {
    this.home = true;
    await Promise.allSettled(this.people);
  }
}
