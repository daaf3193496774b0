#pragma once

#include <optional>
#include <string>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "api/wordings.hpp"
#include "app/office/actor.hpp"
#include "http/exchange.hpp"

namespace sluice::api {

http::Code code_of(Reason);

/// Answers with the refusal's problem.
void answer(http::Exchange&, const Refusal&);

/// The sale is for listed buyers only, or before `until` it is.
void answer_not_listed(http::Exchange&, const std::optional<Timestamp>& until);

/// Answers with the problem of the code; the remark replaces the code's own text.
void answer(http::Exchange&, http::Code, Remark);

void answer(http::Exchange&, int status, const boost::json::object&);

/// As RFC 3339.
boost::json::value time_or_null(const std::optional<Timestamp>&);

/// The operator who makes this request.
Actor actor_of(const http::Exchange&);

/// The `?limit=` and `?cursor=` of a list.
struct Page {
    std::size_t limit = 20;
    std::optional<std::int64_t> before;
};
/// Answers with a problem when they are not valid.
std::optional<Page> page_of(http::Exchange&);

/// The same for a list of tickets, whose cursor is a ticket.
struct TicketPage {
    std::size_t limit = 20;
    std::optional<TicketId> after;
};
std::optional<TicketPage> ticket_page_of(http::Exchange&);

}  // namespace sluice::api
