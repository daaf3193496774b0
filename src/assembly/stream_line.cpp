#include "assembly/stream_line.hpp"

#include "http/web_socket.hpp"

namespace sluice {

using namespace std::chrono_literals;

StreamLine::StreamLine(const Foundation& base, const Catalog& catalog, SessionStore& sessions,
                       const gate::BlockList& blocks, std::span<Executor* const> loops,
                       std::size_t most)
    : hub(catalog, base.clock, loops,
          {.all = most,
           .per_user = base.config.streams.per_user,
           .per_address = base.config.streams.per_address,
           .watched = base.config.streams.watched,
           .exempts = [&scope = base.limit_scope](
                          const Address& address) { return scope.exempts(address); }}),
      streams_(hub, catalog, sessions, base.clock, counts_),
      review_(hub, sessions, blocks, base.clock) {}

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
