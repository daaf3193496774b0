#include "adapters/rabbitmq/broker.hpp"

#include <string>

#include "adapters/rabbitmq/poster.hpp"
#include "adapters/rabbitmq/source.hpp"
#include "base/check.hpp"

namespace sluice::rabbitmq {
namespace {

Options checked(Options options) {
    CHECK(!options.hosts.empty(), "a broker has a host");
    CHECK(!options.queue.empty() && options.longest_queue > 0, "the queue has a name and room");
    CHECK(options.unconfirmed > 0 && options.prefetch > 0, "messages can be under way");
    CHECK(options.connect_within.count() > 0 && options.confirm_within.count() > 0 &&
              options.heartbeat.count() > 0,
          "there is time for an answer");
    return options;
}

}  // namespace

Broker::Broker(Options options, Listener listener)
    : options_(checked(std::move(options))),
      listener_(std::move(listener)),
      topology_(options_),
      poster_(std::make_unique<Poster>(options_, topology_, listener_)) {
    for (unsigned number = 0; number < options_.sources; ++number) {
        const auto thread = "broker-take-" + std::to_string(number);
        sources_.push_back(std::make_unique<Source>(thread.c_str(), topology_.tickets, options_,
                                                    topology_, *poster_, listener_));
    }
    if (options_.sources > 0)
        parked_ = std::make_unique<Source>("broker-parked", topology_.parked, options_, topology_,
                                           *poster_, listener_);
}

/// First the threads that use the poster, then the poster, which gives them their last answers, and
/// then the rest.
Broker::~Broker() {
    for (const auto& source : sources_) source->stop();
    if (parked_) parked_->stop();
    poster_->stop();
}

TicketQueue& Broker::queue() {
    return *poster_;
}

std::vector<TicketSource*> Broker::sources() {
    std::vector<TicketSource*> all;
    for (const auto& source : sources_) all.push_back(source.get());
    return all;
}

TicketSource* Broker::parked() {
    return parked_.get();
}

BrokerState Broker::state() const {
    auto state = poster_->state();
    for (const auto& source : sources_) state.redelivered += source->redelivered();
    return state;
}

}  // namespace sluice::rabbitmq
