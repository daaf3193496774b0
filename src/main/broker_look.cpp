#include "main/broker_look.hpp"

#include <string>

#include "adapters/rabbitmq/connection.hpp"
#include "adapters/rabbitmq/topology.hpp"
#include "base/outage.hpp"

namespace sluice {

std::int64_t count_messages(const rabbitmq::Options& options) {
    const rabbitmq::Topology topology(options);
    std::string reasons;
    for (const auto& host : options.hosts) {
        try {
            rabbitmq::Connection connection(options, host);
            std::int64_t messages = 0;
            for (const auto* queue : {&topology.tickets, &topology.parked})
                messages += connection.declare(*queue).messages;
            connection.close();
            return messages;
        } catch (const rabbitmq::Lost& lost) {
            reasons.append(reasons.empty() ? "" : "; ")
                .append(host.name + ':' + std::to_string(host.port) + ": " + lost.what());
        }
    }
    throw Outage("the broker does not answer: " + reasons);
}

}  // namespace sluice
