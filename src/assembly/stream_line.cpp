#include "assembly/stream_line.hpp"

#include "http/web_socket_handler.hpp"

namespace sluice {

using namespace std::chrono_literals;

StreamLine::StreamLine(const Parts& parts)
    : hub(parts.catalog, parts.clock, parts.loops,
          {.all = parts.most,
           .per_user = parts.config.per_user,
           .per_address = parts.config.per_address,
           .watched = parts.config.watched,
           .exempts = [&scope = parts.limit_scope](
                          const Address& address) { return scope.exempts(address); }}),
      streams_(hub, parts.catalog, parts.sessions, parts.clock, counts_),
      review_(hub, parts.sessions, parts.blocks, parts.clock) {}

void StreamLine::bind(const Bind& bind) {
    bind("open_stream", to(streams_, &api::Streams::open));
}

void StreamLine::employ(Keeper& keeper) {
    keeper.employ("stream_review", 1s, [this] { return review_.review(); });
    keeper.employ("stream_teller", 250ms, [this] { return hub.tell_of_sales(); });
}

void StreamLine::add_metrics(MetricsPage& metrics) const {
    metrics.add_gauge("sluice_streams_open", "Streams that are open.",
                      [this] { return static_cast<double>(counts_.open()); });
    metrics.add_counter("sluice_stream_messages_total", "Messages on streams, by who sends them.",
                        [this] { return static_cast<double>(counts_.sent); }, {{"from", "server"}});
    metrics.add_counter("sluice_stream_messages_total", "Messages on streams, by who sends them.",
                        [this] { return static_cast<double>(counts_.heard); },
                        {{"from", "client"}});
    for (std::size_t i = 0; i < http::kEndings.size(); ++i)
        metrics.add_counter("sluice_streams_ended_total", "Streams that have ended, by the reason.",
                            [this, i] { return static_cast<double>(counts_.ended[i]); },
                            {{"reason", std::string(http::kEndings[i])}});
}

}  // namespace sluice
