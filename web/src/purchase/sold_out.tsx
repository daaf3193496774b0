import type { Stock } from "../base/types";
import { Notice } from "../ui/parts";
import { text } from "../ui/texts";
import type { Watch } from "./watch";

// Held units may come back. The page looks for them while it is visible; if the shopper watches the
// sale, also while it is hidden.
export function SoldOut({ stock, watch }: { stock: Stock; watch: Watch }) {
  const allPaid = stock.sold === stock.total;
  return (
    <>
      <Notice icon="box" title={text("p_sold_out")}>
        {stock.held > 0 && text("p_sold_out_held", { n: stock.held })}
        {allPaid && text("p_sold_out_none")}
      </Notice>
      {watch.watching ? (
        <div class="watching">
          <p class="faint">{text("p_watching")}</p>
          <button class="button quiet small" type="button" onClick={watch.stop}>
            {text("p_unwatch")}
          </button>
        </div>
      ) : (
        <button class="button quiet" type="button" onClick={watch.start}>
          {text("p_watch")}
        </button>
      )}
    </>
  );
}
