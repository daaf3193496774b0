#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/encoding.hpp"
#include "fuzz/targets.hpp"
#include "gate/client_address.hpp"
#include "http/head_scanner.hpp"
#include "http/input_buffer.hpp"
#include "http/language.hpp"
#include "http/message_parser.hpp"
#include "observe/request_id.hpp"
#include "observe/trace_id.hpp"

namespace sluice::fuzz {
namespace {

using http::Code;
using http::HeadScanner;

constexpr std::size_t kRead = 4096;
constexpr std::size_t kFields = 16;
constexpr std::size_t kBody = 256;

/// The outcome for one request, or for the bytes after the last one.
struct Seen {
    std::optional<Code> refused;
    bool whole = false;
    std::string path{};
    std::string query{};
    std::string body{};

    friend bool operator==(const Seen&, const Seen&) = default;
};

/// Reads like a connection, without a socket: pieces come from `bytes`, 1 to `longest` at a time.
class Reader {
  public:
    Reader(std::string_view bytes, std::size_t longest)
        : bytes_(bytes), longest_(longest), chance_(static_cast<unsigned>(bytes.size())) {
        request_.peer = *Address::parse("10.0.0.1");
    }

    std::vector<Seen> read() {
        while (more_) {
            const auto verdict = scanner_.scan(in_.view());
            CHECK(scanner_.length() <= in_.size(), "a scanner sees only what is there");
            if (verdict == HeadScanner::Verdict::refused) {
                seen_.push_back({.refused = Code::malformed});
                break;
            }
            if (verdict == HeadScanner::Verdict::complete)
                read_one();
            else
                more_ = receive(kRead);
        }
        return std::move(seen_);
    }

  private:
    void read_one() {
        request_.clear();
        in_.reserve(kRead);
        const auto head = in_.view().substr(0, scanner_.length());
        http::MessageParser parser(request_, body_, kFields, kBody);
        auto refused = parser.parse_head(head);
        use(head);
        while (!refused && !parser.complete()) {
            std::size_t taken = 0;
            const auto behind = in_.view().substr(head.size());
            refused = parser.parse_body(behind, taken);
            CHECK(taken <= behind.size(), "a parser takes only what is there");
            in_.cut(head.size(), taken);
            if (!refused && !parser.complete() && !receive(0)) break;
        }
        CHECK(body_.size() <= kBody, "a body has a bound");
        CHECK(request_.fields.size() <= kFields, "a head has a bound");
        more_ = !refused && parser.complete() && request_.keep_alive;
        Seen seen{.refused = refused, .whole = !refused && parser.complete()};
        if (seen.whole) {
            seen.path = request_.path;
            seen.query = request_.query;
            seen.body = body_;
        }
        seen_.push_back(std::move(seen));
        in_.consume(head.size());
        scanner_.reset();
    }

    /// Everything that is read from a head, even a refused one: the log needs its id.
    void use(std::string_view head) const {
        const auto within = [head](std::string_view part) {
            return part.empty() || (part.data() >= head.data() &&
                                    part.data() + part.size() <= head.data() + head.size());
        };
        CHECK(within(request_.path) && within(request_.query), "views stay in the head");
        for (const auto& field : request_.fields)
            CHECK(within(field.name) && within(field.value), "views stay in the head");
        for (const auto* name : {"limit", "cursor", "state"}) {
            const auto parameter = request_.parameter(name);
            CHECK(parameter.text.find('\0') == std::string::npos, "no parameter has a NUL");
            CHECK(parameter.text.size() <= request_.query.size(), "decoding only shortens");
        }
        if (const auto path = percent_decode(request_.path))
            CHECK(path->size() <= request_.path.size(), "decoding only shortens");
        http::preferred_language(request_.header("Accept-Language"));
        acceptable_request_id(request_.header("X-Request-Id"));
        trace_id(request_.header("traceparent"));
        static const std::vector<Network> proxies{*Network::parse("10.0.0.0/8"),
                                                  *Network::parse("fd00::/8")};
        gate::client_address(request_, proxies);
    }

    bool receive(std::size_t reserve) {
        if (bytes_.empty()) return false;
        if (reserve > 0) in_.reserve(reserve);
        const auto room = in_.room();
        CHECK(!room.empty(), "shorter inputs than a read always have room");
        std::uniform_int_distribution<std::size_t> any(1, longest_);
        const auto size = std::min({any(chance_), room.size(), bytes_.size()});
        std::ranges::copy(bytes_.substr(0, size), room.begin());
        in_.commit(size);
        bytes_.remove_prefix(size);
        return true;
    }

    std::string_view bytes_;
    const std::size_t longest_;
    std::minstd_rand chance_;
    http::InputBuffer in_;
    HeadScanner scanner_;
    http::Request request_;
    std::string body_;
    std::vector<Seen> seen_;
    bool more_ = true;
};

}  // namespace

void http(std::string_view bytes) {
    bytes = bytes.substr(0, kRead);
    const auto at_once = Reader(bytes, kRead).read();
    // If other packet borders show other requests, an attacker could hide a request from a proxy.
    for (const std::size_t longest : {1, 7, 200})
        CHECK(Reader(bytes, longest).read() == at_once, "splits do not change what is read");
}

}  // namespace sluice::fuzz
