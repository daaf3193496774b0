-- name: begin_holding
/* absent */ INSERT INTO holdings (sale_id, buyer_id, units, latest) VALUES (?1, ?2, ?3, ?4);

-- name: find_units_for_update
SELECT units FROM holdings WHERE sale_id = ?1 AND buyer_id = ?2 FOR UPDATE;
