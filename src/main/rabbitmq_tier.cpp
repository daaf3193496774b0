#include "main/rabbitmq_tier.hpp"

#include <utility>

#include "base/check.hpp"
#include "config/broker_url.hpp"
#include "main/password.hpp"

namespace sluice {

rabbitmq::Options rabbitmq_options(const Config& config) {
    const auto& broker = config.broker;
    rabbitmq::Options options;
    for (const auto& text : broker.urls) {
        const auto url = BrokerUrl::parse(text);
        CHECK(url.has_value(), "the configuration was checked");
        options.hosts.push_back({.name = url->host, .port = url->port});
        if (url->is_tls)
            options.tls = {.ca = broker.tls_ca, .cert = broker.tls_cert, .key = broker.tls_key};
    }
    options.virtual_host = broker.virtual_host;
    options.user = broker.user;
    options.password = read_password(broker.password, broker.password_file, "broker.password_file");
    options.queue = broker.queue;
    options.longest_queue = broker.longest_queue;
    options.prefetch = static_cast<std::uint16_t>(broker.prefetch);
    options.sources = config.roles.writer ? config.ledger.writers : 0;
    return options;
}

RabbitmqTier::RabbitmqTier(const Config& config, Log& log)
    : log_(log),
      broker_(rabbitmq_options(config),
              {.on_arrival = [this] { hear_of_arrival(); },
               .on_event = [this](std::string_view event,
                                  std::string_view reason) { note(event, reason); }}) {}

void RabbitmqTier::note(std::string_view event, std::string_view reason) {
    const bool is_good = event == "broker.connected" || event == "broker.has_room";
    log_.write(is_good ? Log::Level::info : Log::Level::warn, event, {{"reason", reason}});
}

void RabbitmqTier::set_arrival_callback(std::function<void()> callback) {
    const MutexLock lock(mutex_);
    on_arrival_ = std::move(callback);
}

void RabbitmqTier::hear_of_arrival() {
    const MutexLock lock(mutex_);
    on_arrival_();
}

void RabbitmqTier::add_metrics(MetricsPage& metrics) const {
    const auto gauge = [&](const char* name, const char* help, auto field) {
        metrics.add_gauge(name, help,
                          [this, field] { return static_cast<double>(broker_.state().*field); });
    };
    const auto counter = [&](const char* name, const char* help, auto field) {
        metrics.add_counter(name, help,
                            [this, field] { return static_cast<double>(broker_.state().*field); });
    };
    gauge("sluice_broker_connected", "1 when this node can hand tickets to the broker.",
          &BrokerState::is_connected);
    gauge("sluice_broker_full", "1 when the broker takes no more messages.", &BrokerState::is_full);
    gauge("sluice_broker_queue_messages", "Messages that wait in the queue of tickets.",
          &BrokerState::messages);
    gauge("sluice_broker_unconfirmed", "Messages of this node that the broker has not answered.",
          &BrokerState::unconfirmed);
    counter("sluice_broker_confirmed_total", "Messages of this node that the broker keeps.",
            &BrokerState::confirmed);
    counter("sluice_broker_returned_total", "Messages of this node that found no queue.",
            &BrokerState::returned);
    counter("sluice_broker_refused_total", "Messages of this node that the broker refused.",
            &BrokerState::refused);
    counter("sluice_broker_unanswered_total",
            "Messages of this node whose connection was lost, or that had no answer in time.",
            &BrokerState::unanswered);
    counter("sluice_broker_redelivered_total", "Messages that this node was given once more.",
            &BrokerState::redelivered);
}

/// Not a reason to be unready: without the broker tickets are handed off through the journal.
std::vector<api::PartHealth> RabbitmqTier::health() const {
    const auto state = broker_.state();
    std::vector<Notice> notices;
    if (!state.is_connected && state.problem.empty())
        notices.emplace_back(NoticeRule::broker_connecting);
    else if (!state.is_connected)
        notices.emplace_back(NoticeRule::broker_away, state.problem);
    else if (state.is_full)
        notices.emplace_back(NoticeRule::broker_full);
    return {{"broker", true, std::move(notices)}};
}

}  // namespace sluice
