-- name: begin_holding
/* absent */ INSERT INTO holdings (sale_id, buyer_id, units, latest) VALUES (?1, ?2, ?3, ?4);
