// What people see at an address that does not exist.

import { mount, Page } from "../ui/page";
import { Empty } from "../ui/parts";
import { text } from "../ui/texts";

function Missing() {
  return (
    <Page title={text("page_missing")}>
      <Empty icon="box" title={text("page_missing")} alone>
        <p>{text("page_missing_more")}</p>
        <a class="button" href="/">
          {text("all_sales")}
        </a>
      </Empty>
    </Page>
  );
}

mount(Missing);
