#include "assembly/stream_line.hpp"

#include "http/web_socket_handler.hpp"

namespace sluice {

using namespace std::chrono_literals;

StreamLine::StreamLine(const Parts& parts)
    : hub_(parts.catalog, parts.clock, parts.loops,
           {.all = parts.most,
            .per_user = parts.config.per_user,
            .per_address = parts.config.per_address,
            .watched = parts.config.watched,
            .exempts = [&scope = parts.limit_scope](
                           const Address& address) { return scope.exempts(address); }}),
      feed_rounds_(
          "stream_feed", BuyerFeed::kRound, [this] { return feed_->look(); }, parts.log),
      streams_(hub_, parts.catalog, parts.sessions, parts.clock, counts_),
      review_(hub_, parts.sessions, parts.blocks, parts.clock) {
    if (parts.signals)
        feed_.emplace(hub_, parts.orders, *parts.signals, parts.clock,
                      [this] { feed_rounds_.wake(); });
}

void StreamLine::tell(std::span<const BuyerNews> news) {
    if (feed_)
        feed_->tell(news);
    else
        hub_.tell(news);
}

void StreamLine::bind(const Bind& bind) {
    bind("open_stream", to(streams_, &api::Streams::open));
}

void StreamLine::employ(Keeper& keeper) {
    keeper.employ("stream_review", 1s, [this] { return review_.review(); });
    keeper.employ("stream_teller", 250ms, [this] { return hub_.send_changed_sales(); });
    if (feed_) keeper.employ(feed_rounds_);
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
    if (!feed_) return;
    constexpr auto kName = "sluice_stream_news_of_others_total";
    constexpr auto kHelp = "News of other nodes that buyers were told, by how it was found.";
    metrics.add_counter(kName, kHelp,
                        [this] { return static_cast<double>(feed_->told_by_signal()); },
                        {{"by", "signal"}});
    metrics.add_counter(kName, kHelp,
                        [this] { return static_cast<double>(feed_->found_by_look()); },
                        {{"by", "look"}});
}

}  // namespace sluice
