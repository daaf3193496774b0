-- Of two views of a sale the one with the higher number is newer, whoever read it and in whatever
-- order they arrive. Every committed change counts: terms, stock and epoch, also by hand in SQL.
-- hot_seq moves with the stock and has no news of its own.
ALTER TABLE sales ADD COLUMN news_seq INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER sales_number_their_news AFTER UPDATE ON sales
WHEN NEW.news_seq = OLD.news_seq AND NEW.hot_seq = OLD.hot_seq
BEGIN
    UPDATE sales SET news_seq = OLD.news_seq + 1 WHERE id = NEW.id;
END;
