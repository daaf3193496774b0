#include "adapters/sql/row.hpp"

#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/sql/catalog_rows.hpp"
#include "adapters/sql/order_rows.hpp"
#include "adapters/sql/payment_rows.hpp"
#include "adapters/sql/stats_rows.hpp"
#include "adapters/sql/trail_rows.hpp"

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct Null {
    friend bool operator==(Null, Null) = default;
};
using Blob = std::vector<unsigned char>;
using Value = std::variant<Null, std::int64_t, std::string, Blob>;

/// One row of a store that keeps its values in a list.
class ListedColumns {
  public:
    explicit ListedColumns(std::vector<Value> values) : values_(std::move(values)) {}

    bool is_null(int index) const { return std::holds_alternative<Null>(at(index)); }
    std::int64_t number(int index) const { return as<std::int64_t>(index); }
    std::string_view text(int index) const { return as<std::string>(index); }
    Bytes bytes(int index) const { return as<Blob>(index); }
    std::string describe(int index) const { return "column " + std::to_string(index); }

  private:
    const Value& at(int index) const { return values_.at(static_cast<std::size_t>(index)); }
    template <class T>
    const T& as(int index) const {
        if (const auto* value = std::get_if<T>(&at(index))) return *value;
        throw RowError(describe(index) + ": another type");
    }

    std::vector<Value> values_;
};

template <class Row>
Row read(std::vector<Value> values) {
    EXPECT_EQ(kColumnsOf<Row>, static_cast<int>(values.size()));
    Row row{};
    read_row(ListedColumns(std::move(values)), row);
    return row;
}

template <class Row>
auto reading(std::vector<Value> values) {
    return [values = std::move(values)] { read<Row>(values); };
}

/// The values of a row, as a store would get them.
class ValueList {
  public:
    void operator()(std::int64_t number) { values.emplace_back(number); }
    void operator()(bool flag) { values.emplace_back(std::int64_t{flag}); }
    void operator()(Timestamp at) { values.emplace_back(to_millis(at)); }
    void operator()(const std::string& text) { values.emplace_back(text); }
    void operator()(std::nullopt_t) { values.emplace_back(Null{}); }
    template <class Thing>
    void operator()(Id<Thing> id) {
        values.emplace_back(id.value);
    }
    template <std::size_t N>
    void operator()(const std::array<unsigned char, N>& bytes) {
        values.emplace_back(Blob(bytes.begin(), bytes.end()));
    }
    template <class Enum>
        requires std::is_enum_v<Enum>
    void operator()(Enum value) {
        const auto stored = StoredEnum<Enum>::put(value);
        if constexpr (std::is_same_v<decltype(stored), const std::int64_t>)
            values.emplace_back(stored);
        else
            values.emplace_back(std::string(stored));
    }
    template <class T>
    void operator()(const std::optional<T>& value) {
        if (value)
            (*this)(*value);
        else
            (*this)(std::nullopt);
    }

    std::vector<Value> values;
};

template <class Row>
std::vector<Value> values_of(const Row& row) {
    ValueList list;
    for_each_value(row, list);
    return list.values;
}

Mark mark(unsigned char byte) {
    Mark mark;
    mark.fill(byte);
    return mark;
}

struct Small {
    SaleId sale;
    std::string name;
    std::optional<std::int64_t> units;
    bool paused = false;
};

struct Part {
    std::int64_t number = 0;
    std::optional<std::string> text;
};

struct WithParts {
    Part first;
    std::optional<Part> second;
    Timestamp at;
};

TEST(Row, IsReadInTheOrderOfItsFields) {
    const auto row = read<Small>({7, "shoes", 12, 1});
    EXPECT_EQ(row.sale, SaleId{7});
    EXPECT_EQ(row.name, "shoes");
    EXPECT_EQ(row.units, 12);
    EXPECT_TRUE(row.paused);
}

TEST(Row, MayBeATupleOrASingleValue) {
    const auto [id, at] = read<std::tuple<UserId, Timestamp>>({3, 1'000});
    EXPECT_EQ(id, UserId{3});
    EXPECT_EQ(at, from_millis(1'000));
    EXPECT_EQ(read<std::size_t>({5}), 5U);
    EXPECT_EQ(read<Mark>({Blob(16, 9)}), mark(9));
    EXPECT_EQ(read<std::optional<Timestamp>>({Null{}}), std::nullopt);
}

TEST(Row, HasPartsWithColumnsOfTheirOwn) {
    EXPECT_EQ(kColumnsOf<WithParts>, 5);
    const auto row = read<WithParts>({1, "one", 2, Null{}, 3});
    EXPECT_EQ(row.first.text, "one");
    ASSERT_TRUE(row.second);
    EXPECT_EQ(row.second->number, 2);
    EXPECT_EQ(row.second->text, std::nullopt);
    EXPECT_EQ(row.at, from_millis(3));
}

TEST(Row, LacksAnOptionalPartWhenAllOfItIsNull) {
    EXPECT_FALSE(read<WithParts>({1, "one", Null{}, Null{}, 3}).second);
    EXPECT_THROW(read<WithParts>({1, "one", Null{}, "half", 3}), RowError);
}

TEST(Row, KeepsNothingOfTheRowBefore) {
    Small row;
    read_row(ListedColumns({7, "shoes", 12, 1}), row);
    read_row(ListedColumns({8, "", Null{}, 0}), row);
    EXPECT_EQ(row.sale, SaleId{8});
    EXPECT_EQ(row.name, "");
    EXPECT_EQ(row.units, std::nullopt);
    EXPECT_FALSE(row.paused);
}

TEST(Row, RefusesNullThatTheFieldDoesNotExpect) {
    EXPECT_THROW(read<Small>({Null{}, "shoes", 12, 1}), RowError);
    EXPECT_THROW(read<Small>({7, Null{}, 12, 1}), RowError);
    EXPECT_THROW(read<OrderState>({Null{}}), RowError);
    EXPECT_THROW(read<Mark>({Null{}}), RowError);
}

TEST(Row, RefusesAValueOfAnotherType) {
    EXPECT_THROW(read<Small>({"7", "shoes", 12, 1}), RowError);
    EXPECT_THROW(read<Small>({7, 8, 12, 1}), RowError);
    EXPECT_THROW(read<Small>({7, "shoes", "12", 1}), RowError);
    EXPECT_THROW(read<std::string>({Blob{'a'}}), RowError);
    EXPECT_THROW(read<Mark>({std::string(16, 'a')}), RowError);
}

TEST(Row, RefusesABlobOfAnotherLength) {
    EXPECT_THAT(reading<Mark>({Blob(15)}), ThrowsMessage<RowError>(HasSubstr("column 0: a blob")));
    EXPECT_THROW(read<Mark>({Blob(17)}), RowError);
    EXPECT_THROW(read<Mark>({Blob()}), RowError);
}

TEST(Row, RefusesANegativeCount) {
    EXPECT_THROW(read<std::size_t>({-1}), RowError);
}

TEST(Row, ReadsEnumsByTheirTable) {
    EXPECT_EQ(read<OrderState>({"refunded"}), OrderState::refunded);
    EXPECT_EQ(read<TicketState>({3}), TicketState::rolled_back);
    EXPECT_EQ(read<std::optional<Reason>>({"sold_out"}), Reason::sold_out);
    EXPECT_THROW(read<OrderState>({"lost"}), RowError);
    EXPECT_THROW(read<OrderState>({1}), RowError);
    EXPECT_THROW(read<TicketState>({0}), RowError);
    EXPECT_THROW(read<TicketState>({4}), RowError);
    EXPECT_THROW(read<TicketState>({"3"}), RowError);
    EXPECT_THROW(read<Reason>({"forbidden"}), RowError);
}

TEST(Row, HasAValueForEachColumn) {
    EXPECT_THAT(values_of(WithParts{{1, std::nullopt}, std::nullopt, from_millis(2)}),
                ElementsAre(Value(1), Value(Null{}), Value(Null{}), Value(Null{}), Value(2)));
    EXPECT_THAT(values_of(WithParts{{1, "one"}, Part{3, "three"}, from_millis(2)}),
                ElementsAre(Value(1), Value("one"), Value(3), Value("three"), Value(2)));
    EXPECT_THAT(values_of(std::tuple(OrderState::paid, TicketState::committed, mark(1))),
                ElementsAre(Value("paid"), Value(2), Value(Blob(16, 1))));
}

/// What was written is read again as the same thing.
template <class Row>
Row through_store(const Row& row) {
    return read<Row>(values_of(row));
}

TEST(Rows, KeepAnItem) {
    const Item item{.id = ItemId{1},
                    .title = "title",
                    .description = "description",
                    .image_url = "/image.png",
                    .list_price_cents = 2,
                    .currency = "CNY",
                    .version = 3,
                    .created_at = from_millis(4),
                    .category = "category",
                    .pictures = {"/a.png", "/b.png"},
                    .archived = true};
    EXPECT_EQ(to_item(through_store(to_row(item))), item);
}

TEST(Rows, KeepASale) {
    const Sale sale{.id = SaleId{1},
                    .item_id = ItemId{2},
                    .kind = SaleKind::standing,
                    .price_cents = 3,
                    .currency = "CNY",
                    .starts_at = from_millis(4),
                    .ends_at = from_millis(5),
                    .ended_at = from_millis(6),
                    .paused = true,
                    .resumed_at = from_millis(7),
                    .stock = {.total = 33, .left = 10, .held = 11, .sold = 12},
                    .limit_per_buyer = 13,
                    .hold_seconds = 14,
                    .challenge = Challenge::math,
                    .challenge_alternative = Challenge::pow,
                    .challenge_bits = 15,
                    .gate_factor = 16,
                    .unpaid_limit = 22,
                    .epoch = 17,
                    .hot_seq = 18,
                    .version = 19,
                    .news_seq = 21,
                    .created_at = from_millis(20),
                    .name = "name",
                    .campaign = "campaign",
                    .tags = {"one", "two"},
                    .audience = Audience::listed_first,
                    .listed_until = from_millis(23),
                    .list_version = 24};
    EXPECT_EQ(to_sale(through_store(to_row(sale))), sale);
    auto untagged = sale;
    untagged.tags.clear();
    EXPECT_EQ(to_sale(through_store(to_row(untagged))), untagged);
}

TEST(Rows, KeepATicketAndItsRecord) {
    const Ticket ticket{.id = {SaleId{1}, mark(2)},
                        .buyer = UserId{3},
                        .quantity = 4,
                        .epoch = 5,
                        .pass = mark(6),
                        .key = mark(7),
                        .claimed_at = from_millis(8)};
    const TicketRecord record{.id = ticket.id,
                              .state = TicketState::rolled_back,
                              .quantity = 4,
                              .order = OrderId{9},
                              .reason = Reason::limit_reached,
                              .same_as = TicketId{SaleId{1}, mark(10)},
                              .pass = mark(6),
                              .key = mark(7),
                              .claimed_at = from_millis(8)};
    const auto row = through_store(to_row(ticket, record));
    const auto read_record = to_record(row);
    EXPECT_EQ(read_record.id, record.id);
    EXPECT_EQ(read_record.state, record.state);
    EXPECT_EQ(read_record.quantity, record.quantity);
    EXPECT_EQ(read_record.order, record.order);
    EXPECT_EQ(read_record.reason, record.reason);
    EXPECT_EQ(read_record.same_as, record.same_as);
    EXPECT_EQ(read_record.pass, record.pass);
    EXPECT_EQ(read_record.key, record.key);
    EXPECT_EQ(read_record.claimed_at, record.claimed_at);
    const auto read_ticket = to_ticket(row);
    EXPECT_EQ(read_ticket.id, ticket.id);
    EXPECT_EQ(read_ticket.buyer, ticket.buyer);
    EXPECT_EQ(read_ticket.quantity, ticket.quantity);
    EXPECT_EQ(read_ticket.epoch, ticket.epoch);
    EXPECT_EQ(read_ticket.pass, ticket.pass);
    EXPECT_EQ(read_ticket.key, ticket.key);
    EXPECT_EQ(read_ticket.claimed_at, ticket.claimed_at);
}

TEST(Rows, KeepAPointOfAChart) {
    const StatsPoint point{.sale = SaleId{1},
                           .at = from_millis(2),
                           .funnel = {.visits = 3,
                                      .challenges = 4,
                                      .passes = 5,
                                      .attempts = 6,
                                      .refusals = {{"busy", 7}, {"sold_out", 8}},
                                      .claims = 9,
                                      .orders = {.orders = 10, .paid = 11, .expired = 12}},
                           .stock = {.total = 13, .left = 14, .held = 15, .sold = 16},
                           .backlog = 17,
                           .latency = {.p50 = std::chrono::microseconds{18},
                                       .p90 = std::chrono::microseconds{19},
                                       .p99 = std::chrono::microseconds{20},
                                       .p999 = std::chrono::microseconds{21}}};
    EXPECT_EQ(to_point(through_store(to_row(point))), point);
}

TEST(Rows, KeepWhetherAPaymentHasABill) {
    Payment payment{.id = PaymentId{1},
                    .order = OrderId{2},
                    .provider = "sandbox",
                    .amount_cents = 3,
                    .currency = "CNY",
                    .state = PaymentState::captured,
                    .bill = std::nullopt,
                    .created_at = from_millis(4)};
    EXPECT_FALSE(to_payment(through_store(to_row(payment))).bill);
    payment.bill = Bill{"ref", "/pay"};
    const auto kept = to_payment(through_store(to_row(payment)));
    ASSERT_TRUE(kept.bill);
    EXPECT_EQ(kept.bill->ref, "ref");
    EXPECT_EQ(kept.bill->url, "/pay");
    EXPECT_EQ(kept.state, PaymentState::captured);
    EXPECT_EQ(kept.created_at, from_millis(4));
}

}  // namespace
}  // namespace sluice
