#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <boost/beast/http/basic_parser.hpp>

#include "http/chunked_body.hpp"
#include "http/problem.hpp"
#include "http/request.hpp"

namespace sluice::http {

/// Reads one message, head first, then the body in pieces. Built anew for each request. Besides
/// Beast's grammar it requires exactly one Host in HTTP/1.1, one way to tell the body's length, and
/// a single value of every field that has only one. Chunks are not left to Beast.
class MessageParser : public boost::beast::http::basic_parser<true> {
  public:
    MessageParser(Request& request, std::string& body, std::size_t max_fields,
                  std::size_t max_body_bytes);

    /// How long the body of a request may be that is known by its head; asked only of a body that
    /// may be longer than others. Outlives the parser.
    using LongestBody = std::function<std::size_t(const Request&)>;
    void ask_for_longest_body(const LongestBody& longest) { longest_body_ = &longest; }
    /// What a body may have, once the head is parsed.
    std::size_t most_body_bytes() const { return max_body_bytes_; }

    /// `head` is complete and is not moved. Returns a code when it is refused.
    std::optional<Code> parse_head(std::string_view head);

    /// Takes more of the body; `taken` says how much was used. Returns a code when it is refused.
    std::optional<Code> parse_body(std::string_view data, std::size_t& taken);

    bool complete() const { return chunked() ? chunks_.complete() : is_done(); }
    bool expects_continue() const { return expects_continue_; }

  private:
    using Field = boost::beast::http::field;
    using Verb = boost::beast::http::verb;
    using Error = boost::beast::error_code;
    using View = boost::beast::string_view;

    void on_request_impl(Verb, View method, View target, int version, Error&) override;
    void on_response_impl(int, View, int, Error&) override {}
    void on_field_impl(Field, View name, View value, Error&) override;
    void on_header_impl(Error&) override;
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, Error&) override;
    std::size_t on_body_impl(View, Error&) override;
    void on_chunk_header_impl(std::uint64_t, View, Error&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, View, Error&) override { return 0; }
    void on_finish_impl(Error&) override {}

    void refuse(Code code, Error& error);
    std::optional<Code> outcome(const Error& error) const;
    bool split_target(std::string_view target);
    /// False when a field that may occur once occurs again.
    bool note_single(Field field, std::string_view name);

    Request& request_;
    std::string& body_;
    const std::size_t max_fields_;
    std::size_t max_body_bytes_;
    const LongestBody* longest_body_ = nullptr;
    std::optional<Code> refused_;
    ChunkedBody chunks_;
    unsigned singles_ = 0;  // one bit for each field that may occur once and has occurred
    bool expects_continue_ = false;
};

}  // namespace sluice::http
