#include <cmath>

#include <boost/json/serialize.hpp>

#include "api/strict_json.hpp"
#include "base/check.hpp"
#include "fuzz/targets.hpp"

namespace sluice::fuzz {
namespace {

using boost::json::value;

/// Boost.JSON 1.81 may get the last bits of a double wrong; everything else must be the same.
bool same(const value& a, const value& b) {
    if (a.kind() != b.kind()) return false;
    if (const auto* x = a.if_double()) {
        const double y = b.get_double();
        return *x == y || std::abs(*x - y) <= std::abs(*x) * 1e-14;
    }
    if (const auto* x = a.if_array()) {
        const auto& y = b.get_array();
        return std::equal(x->begin(), x->end(), y.begin(), y.end(), same);
    }
    if (const auto* x = a.if_object()) {
        const auto& y = b.get_object();
        return std::equal(x->begin(), x->end(), y.begin(), y.end(),
                          [](const auto& left, const auto& right) {
                              return left.key() == right.key() && same(left.value(), right.value());
                          });
    }
    return a == b;
}

}  // namespace

void json(std::string_view bytes) {
    const auto read = api::parse_strict_json(bytes);
    if (!read) return;
    const auto written = boost::json::serialize(*read);
    const auto again = api::parse_strict_json(written);
    CHECK(again, "what we write is what we accept");
    CHECK(same(*read, *again), "a value survives being written");
}

}  // namespace sluice::fuzz
